-- The ledger of a club: one SQLite file. Times are seconds since 1970; 0 means: not (yet). null means: none.
-- Columns change by `update`; no row is ever replaced whole. All statements of the program are constants.
-- The program lets SQLite enforce the references.

create table club (
  id integer primary key check (id = 1),
  secret blob not null,                     -- 32 random bytes: Message-IDs, names of pages
  clock integer not null default 0,         -- time of a round, written once an hour
  pruned integer not null default 0         -- when old contents of letters were last deleted
);

create table people (
  id integer primary key autoincrement,     -- a number is never given twice
  address text not null unique,             -- lower case, domain as in DNS; letters go there
  others text not null default '[]',        -- JSON list: further addresses from which the person may write (from 1.0.0)
  name text not null default '',            -- of a member, for new games; '' for a player who has not joined
  name_key text not null default '',
  token text not null,                      -- of mails to the club: [club/member#token]
  joined integer not null default 0,        -- since when a member; 0: only a player
  prefs text not null default '{}'          -- JSON: format, language, public, standin, mail
);
create unique index people_by_name on people (name_key) where name_key <> '';

create table games (
  id integer primary key autoincrement,
  name text not null,                       -- id of the game and its folder
  ruleset text not null,
  beginning text not null,                  -- identifies the game if it comes back after `remove`, as another row; '': no file yet
  removed integer not null default 0,
  settings text not null default '{}',      -- JSON of GameSettings: only what differs from the club's
  seal text not null default '',            -- of game.json in the last reports; '': no reports yet
  position text not null default '',        -- hash of the position in them
  since integer not null default 0,         -- entry with which they began
  next_seal text not null default '',       -- of the game for which letters are prepared
  next_since integer not null default 0,
  due integer not null default 0,           -- deadline; 0: none
  wake integer not null default 0,          -- next time at which something is due without a mail
  paused integer not null default 0,        -- begin of the pause
  resumes integer not null default 0,       -- when the game resumes by itself; 0: never
  is_voted integer not null default 0,      -- the players have voted for the pause
  overtime integer not null default 0,      -- deadline at which time banks began to run in this turn; 0: they have not
  stopped text not null default '',         -- why the deadline has no effect
  is_over integer not null default 0,
  size integer not null default -1,         -- size and time of game.json when nothing was left to do; -1: look at it
  changed integer not null default -1,
  paged text not null default ''            -- seal whose pages are in the desk; 'new': to be written; '': none
);
create unique index games_by_name on games (name) where removed = 0;
create index games_by_beginning on games (beginning);

create table seats (
  id integer primary key,
  game integer not null references games (id),
  seat text not null,
  place integer not null,                   -- of the seat in the order of the game's seats
  person integer not null references people (id),
  name text not null,                       -- of the player, in the journal of this game
  names text not null default '[]',         -- JSON list: earlier names of the same player there
  hidden_name text not null default '',     -- of the player of a game whose file and letters have no names until its end
  token text not null default '',           -- '' for a former player
  since integer not null,
  until integer not null default 0,         -- 0: present; -1: on the way, until game.json has the hand-over
  is_due integer not null default 0,        -- the game waits for it, as of the last reports
  is_ready integer not null default 0,      -- its orders are there without a mistake, as of its last mail
  is_dropped integer not null default 0,    -- a simulated player decides
  muted integer not null default 0,
  public_name integer,                      -- null: as the player or the club says
  sitter integer references people (id),    -- who plays for the player now
  sat text not null default '[]',           -- JSON list: people who play or have played for the player
  votes text not null default '{}',         -- JSON: motion → seal (draw, undo) or position (others)
  bank_used integer not null default 0,     -- seconds of the time bank that the player has spent
  record text not null default '[]'         -- JSON list of SeatRecord: of the player and of unknown ones, as of the last reports
);
create unique index seats_now on seats (game, seat) where until = 0;
create unique index seats_by_player on seats (game, seat, person);
create unique index seats_by_token on seats (token) where token <> '';
create index seats_by_person on seats (person, until);
create index seats_by_sitter on seats (sitter) where sitter is not null;

create table mails (
  id integer primary key,
  identity text not null unique,            -- the same for all copies
  hash text not null,
  source text not null default 'mail',      -- or 'web': written on a page of the club
  received integer not null,                -- by the server; orders the mails
  fetched integer not null,
  address text not null,
  person integer references people (id),
  game integer references games (id),
  seat text not null default '',
  state text not null default 'new' check (state in ('new', 'ignored', 'held', 'answered', 'waiting', 'taken')),
  why text not null default '',
  matter integer references matters (id),   -- under which it is held
  seal text not null default '',            -- of the game to which it was last given
  data blob not null
);
create index mails_by_state on mails (state, received, id);
create index mails_by_game on mails (game, state);
create index mails_by_address on mails (address, received);
create index mails_by_matter on mails (matter);

create table letters (
  id integer primary key,
  key text not null unique,                 -- no letter is written twice
  kind text not null,                       -- report, receipt, welcome, reminder, deadline, message, moderator, …; 'hook': for a program
  game integer references games (id),
  seat text not null default '',
  person integer references people (id),    -- to whom; null: the moderator, or an address without a person
  about integer references people (id),     -- whom a letter to the moderator is about
  recipient text not null,
  message_id text not null,
  subject text not null,
  thread text not null default '',          -- References, between blanks
  slots text not null default '{}',         -- JSON: the club's lines in a report
  content blob not null,                    -- zlib of JSON: text, html, picture, raw (a mail of 1.0.0); empty when deleted
  seal text not null default '',            -- prepared: of the game for which it waits
  state text not null default 'queued' check (state in ('prepared', 'kept', 'queued', 'sent', 'given up', 'dropped')),
  written integer not null,
  tries integer not null default 0,
  next_try integer not null,
  said text not null default ''
);
create index letters_by_state on letters (state, next_try);
create index letters_by_seat on letters (game, seat, kind, id);
create index letters_by_message_id on letters (message_id);
create index letters_by_person on letters (person);

create table messages (
  id integer primary key autoincrement,
  key text not null unique,                 -- mail and number in it
  game integer not null references games (id),
  seat text not null,
  person integer references people (id),    -- the writer
  sender text not null,                     -- 'Ann (red)'
  recipients text not null,                 -- JSON list: seats, 'all', 'moderator'
  waiting text not null,                    -- JSON list: seats that must still get it
  is_anonymous integer not null,
  text text not null,
  written integer not null,
  state text not null check (state in ('held', 'accepted', 'dropped'))
);
create index messages_by_game on messages (game, id);
create index messages_waiting on messages (game) where waiting <> '[]';

create table matters (
  id integer primary key,                   -- the number in `club status`
  key text not null unique,                 -- the same thing is raised once
  kind text not null,                       -- mail, message, seat, resign, vacant, late, failed, unsent, bounce, note
  game integer references games (id),
  seat text not null default '',
  person integer references people (id),    -- whom it is about
  message integer references messages (id),
  at integer not null,
  words text not null,
  settled integer not null default 0
);
create index matters_open on matters (settled) where settled = 0;

create table holidays (
  person integer not null references people (id),
  first integer not null,
  last integer not null,
  sitter integer references people (id),    -- whom the person asks to play for them
  agreed integer not null default 0,        -- when the sitter has agreed
  primary key (person, first)
);

create table observers (
  game integer not null references games (id),
  person integer not null references people (id),
  primary key (game, person)
);

create table confirmations (
  id integer primary key,
  kind text not null check (kind in ('register', 'address', 'place', 'login')),
  person integer references people (id),    -- null: a stranger
  address text not null default '',         -- register, address: where the letter goes
  list integer references lists (id),       -- place
  token text not null default '',
  since integer not null,                   -- place: when the person joined the list
  asked integer not null default 0,         -- when the club asked for the answer
  done integer not null default 0           -- when the answer came
);
create unique index confirmations_by_place on confirmations (list, person) where kind = 'place';
create unique index confirmations_by_address on confirmations (kind, address) where address <> '';

create table lists (
  id integer primary key autoincrement,
  ruleset text not null,
  players integer not null,
  options text not null default '{}',       -- JSON
  deadline text not null default '',        -- duration; '': as in the club
  language text not null default '',
  names text not null default '',           -- 'hidden' or 'shown'; '': as in the club
  reliability integer not null default 0,   -- least percentage of turns on time
  is_set integer not null default 0,        -- club.toml offers it
  opened integer not null,
  closed integer not null default 0,
  game integer references games (id)        -- that began from it
);
create unique index lists_open on lists (ruleset) where closed = 0;

create table tournaments (
  id integer primary key autoincrement,
  name text not null unique,
  settings text not null,                   -- JSON of Tournament: the moderator's file
  seed text not null,                       -- of its lots
  round integer not null default 0,         -- the present one; 0: it has not begun
  opened integer not null,
  closed integer not null default 0
);

create table entries (
  id integer primary key,
  tournament integer not null references tournaments (id),
  person integer not null references people (id),
  since integer not null,
  gone integer not null default 0,          -- when they left the tournament, or a game of it
  unique (tournament, person)
);

create table pairings (
  id integer primary key,
  tournament integer not null references tournaments (id),
  round integer not null,
  person integer not null references people (id),
  game integer references games (id),       -- null: the person sits the round out
  seat text not null default '',
  unique (tournament, round, person)
);
create index pairings_by_game on pairings (game);

create table log (
  id integer primary key,
  at integer not null,
  who text not null,                        -- 'moderator', 'seat/17/red', 'person/5', 'path/192.0.2.1', 'box/ann@…', 'club'
  what text not null,                       -- task of a command, or what a limit counts
  words text not null default '',
  person integer references people (id)     -- whom a change is about
);
create index log_by_who on log (who, what, at);
create index log_by_time on log (at);
