package io.weir.internal.server.envoy.config;

import static java.util.function.Predicate.not;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The content of one file. Immutable.
 *
 * @param domains the names of its domains, also of those without descriptors
 * @param descriptors the outermost descriptors of all of them, in the order of the file
 */
record FileConfig(Set<String> domains, List<DomainDescriptor> descriptors) {
  FileConfig {
    domains = Set.copyOf(domains);
    descriptors = List.copyOf(descriptors);
  }

  FileConfig without(Predicate<DomainDescriptor> removed) {
    return new FileConfig(domains, descriptors.stream().filter(not(removed)).toList());
  }
}
