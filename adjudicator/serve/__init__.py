"""The pages of a club for its members: `adjudicator club serve`. It needs the extra `serve`."""
