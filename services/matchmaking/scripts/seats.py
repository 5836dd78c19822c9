"""Scripts for seats that somebody has left in a running match."""

from __future__ import annotations

FILL = """
local queue, token, spot, name, deadline, event = unpack(ARGV)
if call('HGET', key('queue', queue, 'lease'), 't') ~= token then return {'fenced'} end
if not call('ZSCORE', key('queue', queue), name) then return {'gone', name} end
if call('HDEL', key('vacant', queue), spot) == 0 then return {'vanished'} end
local t = ticket(name)
leave(t)
call('HSET', key('ticket', name), 'st', 'offered')
for _, player in ipairs(t.p) do
  call('SET', key('held', player), spot)
  for _, other in ipairs(tickets_of(player)) do leave(other) end
end
call('HSET', key('filling'), spot, name .. ' ' .. deadline)
call('XADD', key('outbox'), '*', 'e', event)
tell(name)
return {'ok'}
"""
"""Takes a ticket for a seat, and asks the host to give it to him."""

FILLED = """
local spot, match = unpack(ARGV)
local t = filled(spot, true)
if not t then return {'nobody'} end
finish(t, 'matched', '', match)
for _, player in ipairs(t.p) do withdraw(player) end
return {'ok'}
"""
"""The host has given the seat to the player of a ticket."""

KEPT = """
local t = filled(ARGV[1], false)
if t then resume(t.p) end
return {t and 'ok' or 'nobody'}
"""
"""The host could not; the ticket waits on."""
