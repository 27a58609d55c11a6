package io.weir.internal.server.envoy.config;

/**
 * What one file says: a domain and its descriptors. Immutable.
 *
 * @param domain the domain's name
 * @param root holds the descriptors of the first level
 */
record DomainConfig(String domain, DescriptorNode root) {}
