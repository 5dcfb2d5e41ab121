"""What is told to people and machines, made from views, drawings, diagnostics and visible events; never from a state.

Every ``…_text`` function returns text without a newline at its end, safe to print on a terminal. Every ``…_data`` function
returns dictionaries, lists, strings, integers, booleans and ``None``, with all texts exactly as they are.
"""
