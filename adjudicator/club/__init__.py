"""A club of games run by post: mails fetched, answered and adjudicated by themselves, deadlines kept, reports sent."""
