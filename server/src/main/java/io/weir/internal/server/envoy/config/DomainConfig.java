package io.weir.internal.server.envoy.config;

/**
 * The content of one file: a domain and its descriptors. Immutable.
 *
 * @param domain the domain's name
 * @param root the root of the tree of descriptors
 */
record DomainConfig(String domain, DescriptorNode root) {}
