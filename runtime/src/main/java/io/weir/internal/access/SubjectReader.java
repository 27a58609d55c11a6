package io.weir.internal.access;

import io.weir.access.AccessSubject;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.value.AddressBits;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys and values of resolvers from requests, and checks the subjects of entries.
 *
 * <p>Safe for concurrent use.
 */
final class SubjectReader {
  private final ClientAddress addresses;
  private final @Nullable KeyResolver key;
  private final Map<String, KeyResolver> resolvers;

  /**
   * Reads as settings say.
   *
   * @param key reads the key; null if none is read
   * @param resolvers the application's, by name; they don't fail
   */
  SubjectReader(
      ClientAddress addresses, @Nullable KeyResolver key, Map<String, KeyResolver> resolvers) {
    this.addresses = addresses;
    this.key = key;
    this.resolvers = resolvers;
  }

  /** Returns the rule that a subject breaks, so that no entry can name it; empty if it is fine. */
  Optional<String> mistake(AccessSubject subject) {
    return switch (subject.type()) {
      case ADDRESS -> mistake(block(subject));
      case KEY ->
          key == null
              ? Optional.of("needs weir.access.key, which says where requests have their key")
              : Optional.empty();
      case USER, POLICY -> Optional.empty();
      case RESOLVED ->
          resolvers.containsKey(subject.resolver())
              ? Optional.empty()
              : Optional.of(
                  "must name a KeyResolver that is registered; those are " + resolvers.keySet());
    };
  }

  /** Returns the rule that a block breaks, so that no entry can name it; empty if it is fine. */
  Optional<String> mistake(AddressBits block) {
    return addresses.isTrustedWithin(block)
        ? Optional.of(
            "must not share addresses with weir.proxy.trusted, since everybody behind the proxy"
                + " may have them")
        : Optional.empty();
  }

  /** Returns the block of a subject that is one. */
  static AddressBits block(AccessSubject subject) {
    return AddressBits.parse(subject.value()).orElseThrow();
  }

  /** Reads the digest of the key; empty if the request has none. */
  Optional<String> digest(RequestInfo request) {
    return key == null
        ? Optional.empty()
        : key.resolve(request).map(text -> AccessSubject.keyOf(text).value());
  }

  /** Reads the value of a resolver that {@link #mistake} has found registered. */
  Optional<String> value(String resolver, RequestInfo request) {
    KeyResolver known = resolvers.get(resolver);
    return known == null ? Optional.empty() : known.resolve(request);
  }
}
