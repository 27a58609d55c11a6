package io.weir.rules.usage;

/**
 * Describes one of the callers that this node has refused most in this hour and the one before.
 *
 * @param caller the user, or {@code ip:} and the address of an unknown caller
 * @param refusals an upper bound of the number of refusals
 * @param error the most by which {@code refusals} may be too high
 */
public record RefusedCaller(String caller, long refusals, long error) {}
