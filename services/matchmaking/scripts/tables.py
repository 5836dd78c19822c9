"""The script that changes a table: what the service ruled on, if nobody was first."""

from __future__ import annotations

TABLE = """
local id, expected, body, state, expires, code, seated, gone, kept, unkept, public, request, hash,
  match, game, event, sitting, invitation, over = unpack(ARGV)
local before = asked(request, hash)
if before then return before end
if (call('HGET', key('table', id), 'v') or '0') ~= expected then return {'stale'} end
for _, player in ipairs(words(seated)) do
  local other = call('GET', key('seated', player))
  if other and other ~= id then return {'busy', player, other} end
  if event ~= '' and call('EXISTS', key('held', player)) == 1 then return {'held', player} end
end
local name, version, sits = 'tables/' .. id, expected + 1, {}
for _, player in ipairs(words(seated)) do sits[player] = true end
call('HSET', key('table', id), 'v', version, 'b', body)
call('PERSIST', key('table', id))
for _, player in ipairs(words(gone)) do
  if call('GET', key('seated', player)) == id then call('DEL', key('seated', player)) end
end
for _, player in ipairs(words(unkept)) do
  if call('SREM', key('kept', player), id) == 1 then
    hint('over', player, name, version, sits[player] and 'accepted' or 'withdrawn')
  end
end
if state == 'open' then
  for _, player in ipairs(words(seated)) do call('SET', key('seated', player), id) end
  for _, player in ipairs(words(kept)) do
    if call('SADD', key('kept', player), id) == 1 then
      hint('invited', player, name, version, invitation)
    end
  end
  call('SET', key('code', code), id)
  call('ZADD', key('tables'), expires, id)
  if public ~= '' then call('ZADD', key('public'), public, id)
  else call('ZREM', key('public'), id) end
else
  for _, player in ipairs(words(seated)) do call('DEL', key('seated', player)) end
  for _, player in ipairs(words(kept)) do
    if call('SREM', key('kept', player), id) == 1 then hint('over', player, name, version, over) end
  end
  call('EXPIRE', key('code', code), KEPT)
  call('ZREM', key('tables'), id)
  call('ZREM', key('public'), id)
  call('EXPIRE', key('table', id), KEPT)
end
if event ~= '' then
  for _, player in ipairs(words(seated)) do withdraw(player) end
  local places = words(sitting)
  sat(game, places, #places / 2)
  announce(match, event)
end
remember(request, hash)
call('PUBLISH', key('table', id), 1)
return {'ok'}
"""
