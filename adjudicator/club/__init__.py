"""Run a club of games by mail: fetch and answer mails, keep deadlines, adjudicate turns, send reports."""
