package io.weir.rules.usage;

/**
 * One of the callers that were refused most by this node, in this hour and the one before.
 *
 * @param caller the user, or {@code ip:} and the address of one who isn't known
 * @param refusals how many times, at most
 * @param error by how much that may be too high
 */
public record RefusedCaller(String caller, long refusals, long error) {}
