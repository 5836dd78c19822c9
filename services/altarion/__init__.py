"""The rules of Altarion: colonies, heroes, mines and tribute. Pure; see README.md."""
