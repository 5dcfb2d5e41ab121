-- A ledger as the first published version wrote it: a paused game, a mail that waits, a letter and a matter.
CREATE TABLE games (
  id text primary key, seal text not null default '', due integer not null default 0, wake integer not null default 0,
  is_paused integer not null default 0,
  stopped text not null default '', size integer not null default -1, changed integer not null default -1,
  is_over integer not null default 0, awaited text not null default ''
);
INSERT INTO "games" VALUES('race','ab',1772740800,0,1,'',-1,-1,0,'');
CREATE TABLE guesses (address text not null, at integer not null);
CREATE TABLE holidays (
  game text not null, seat text not null, first integer not null, last integer not null, primary key (game, seat, first)
);
CREATE TABLE letters (
  id integer primary key, key text not null unique, game text not null, seat text not null, kind text not null,
  recipient text not null, message_id text not null, data blob not null, state text not null default 'queued',
  tries integer not null default 0, next_try integer not null, said text not null default '', written integer not null
);
INSERT INTO "letters" VALUES(1,'old','race','red','report','old@example.org','<old@example.org>',X'546F3A206F6C64406578616D706C652E6F72670D0A5375626A6563743A206F6C640D0A4D6573736167652D49443A203C6F6C64406578616D706C652E6F72673E0D0A0D0A68656C6C6F0D0A','queued',0,5,'',1772452700);
CREATE TABLE mails (
  id integer primary key, identity text not null unique, hash text not null, received integer not null,
  address text not null, subject text not null, game text not null default '', seat text not null default '',
  state text not null default 'kept', is_flawed integer not null default 0, why text not null default '',
  data blob not null
);
INSERT INTO "mails" VALUES(1,'a','b',1772452700,'c@example.org','d','','','held',0,'',X'65');
CREATE TABLE matters (
  id integer primary key, key text not null unique, game text not null, at integer not null, words text not null,
  is_settled integer not null default 0
);
INSERT INTO "matters" VALUES(1,'old','race',1772452700,'an old matter',0);
CREATE TABLE votes (
  game text not null, seat text not null, kind text not null, seal text not null, primary key (game, seat, kind)
);
CREATE INDEX mails_by_state on mails (state, received, id);
CREATE INDEX mails_by_game on mails (game, state);
CREATE INDEX letters_by_state on letters (state, next_try);
CREATE INDEX letters_by_game on letters (game, seat, kind);
CREATE INDEX guesses_by_address on guesses (address, at);
pragma user_version = 1;
