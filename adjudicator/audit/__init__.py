"""The audit: decides games again and says whether rules, chance and clock really gave what their files say."""
