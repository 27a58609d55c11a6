package io.weir.internal.policy;

/**
 * A cost of an HTTP method that is more than a policy of an endpoint ever admits.
 *
 * <p>Immutable.
 *
 * @param policy the name of the policy
 * @param method the HTTP method, in capitals
 * @param line place, setting, value and rule, for people
 */
record CostMistake(String policy, String method, String line) {}
