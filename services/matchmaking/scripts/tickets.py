"""Scripts for one ticket: made, joined, cancelled."""

from __future__ import annotations

CREATE = """
local function create(id, body_hash, state, queue, about, players, awaited, body, times, invitation)
  local known = call('HGET', key('ticket', id), 'h')
  if known then return known == body_hash and {'again'} or {'reused'} end
  local absent = {}
  for _, player in ipairs(words(awaited)) do absent[player] = true end
  for _, player in ipairs(words(players)) do
    local other = not absent[player] and call('HGET', key('player', player), queue)
    if other then return {'busy', player, other} end
    if not absent[player] and call('HLEN', key('player', player)) >= MOST then
      return {'many', player}
    end
  end
  local when = words(times)
  call('HSET', key('ticket', id), 'h', body_hash, 'st', state, 'q', queue, 'p', players,
    'w', awaited, 'b', body, 'n', when[1], 'c', when[1], 'x', when[2], 'v', 1)
  for _, player in ipairs(words(players)) do
    if absent[player] then
      call('SADD', key('invites', player), id)
      hint('invited', player, 'tickets/' .. id, 1, invitation)
    else call('HSET', key('player', player), queue, id) end
  end
  call('HSET', key('queues'), queue, about)
  call('HINCRBY', key('live'), queue, 1)
  call('ZADD', key('expiring'), when[2], id)
  enter(ticket(id))
  return {'ok'}
end
local outcomes = {}
for at = 1, #ARGV, 10 do outcomes[#outcomes + 1] = create(unpack(ARGV, at, at + 9)) end
return outcomes
"""
"""ARGV, for each ticket: id, hash of the request, state, queue, what the queue is, players, those
who have not joined, body, "<now> <when it expires>", what is told to who is invited."""

JOIN = """
local id, player, now, request, body = unpack(ARGV)
local before = asked(request, body)
if before then return before end
local t = ticket(id)
if not t then return {'missing'} end
if t.st ~= 'gathering' then return {'refused', t.st} end
local absent, found = {}, false
for _, one in ipairs(words(t.w)) do
  if one == player then found = true else absent[#absent + 1] = one end
end
if not found then return {'refused', 'joined'} end
local other = call('HGET', key('player', player), t.q)
if other then return {'busy', player, other} end
call('HSET', key('player', player), t.q, id)
call('SREM', key('invites', player), id)
uninvited(id, player, 'accepted')
call('HSET', key('ticket', id), 'w', table.concat(absent, ' '))
if #absent == 0 then
  call('HSET', key('ticket', id), 'st', 'waiting', 'n', now)
  enter(ticket(id))
end
tell(id)
remember(request, body)
return {'ok'}
"""

CANCEL = """
local id, reason, request, body = unpack(ARGV)
local before = asked(request, body)
if before then return before end
local t = ticket(id)
if not t then return {'missing'} end
if reason == 'declined' and t.st ~= 'offered' then return {'refused', t.st} end
if t.st == 'offered' and not t.o then return {'refused', 'matched'} end
if t.st == 'offered' then break_offer(t.o, {[id] = reason})
elseif t.st == 'waiting' or t.st == 'gathering' then finish(t, 'cancelled', reason)
elseif t.st == 'matched' then return {'refused', t.st} end
remember(request, body)
return {'ok'}
"""
"""Cancels a ticket, or declines what it is offered. One that has ended otherwise stays as it is."""
