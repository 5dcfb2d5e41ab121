"""The audit: did the rules, the chance and the clock really give what a game file says?"""
