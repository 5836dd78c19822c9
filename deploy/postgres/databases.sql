-- Run once, on an empty volume: each service that needs SQL owns a database, and migrates it.
CREATE DATABASE accounts;
CREATE DATABASE matchmaking;
CREATE DATABASE notices;
CREATE DATABASE scoring;
