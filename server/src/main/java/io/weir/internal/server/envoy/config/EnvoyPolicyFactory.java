package io.weir.internal.server.envoy.config;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Makes the policies of Envoy's limits. Each descriptor has one of its own, so that metrics and
 * switches can name it. Its name begins with {@code envoy.}, which separates its buckets from all
 * others, and doesn't depend on the limit, so that counts continue when that changes. Safe for
 * concurrent use.
 */
final class EnvoyPolicyFactory {
  private static final String PREFIX = "envoy.";
  private static final int DIGEST_BYTES = 6;
  private static final int MAX_READABLE_CHARACTERS = 64 - PREFIX.length() - 1 - 2 * DIGEST_BYTES;

  private final OnStoreFailure onStoreFailure;
  private final Map<RateUnit, Policy> overrides = new EnumMap<>(RateUnit.class);

  EnvoyPolicyFactory(OnStoreFailure onStoreFailure) {
    this.onStoreFailure = onStoreFailure;
    for (RateUnit unit : RateUnit.values()) {
      overrides.put(
          unit, policy(PREFIX + "override." + unit.text(), Policy.MAX_LIMIT, unit, false));
    }
  }

  /** Makes the policy of a descriptor; in shadow mode it counts and refuses nothing by itself. */
  Policy of(String domain, List<DescriptorEntry> path, long limit, RateUnit unit, boolean shadow) {
    return policy(name(domain, path), limit, unit, shadow);
  }

  /** Returns the policy of all limits of this unit that come with requests. */
  Policy ofOverrides(RateUnit unit) {
    return Objects.requireNonNull(overrides.get(unit));
  }

  private Policy policy(String name, long limit, RateUnit unit, boolean shadow) {
    return Policy.builder(name)
        .limit(limit)
        .window(unit.length())
        .algorithm(Algorithm.FIXED_WINDOW)
        .onStoreFailure(onStoreFailure)
        .shadow(shadow)
        .build();
  }

  // A readable part for people, and a digest that no two paths share.
  private static String name(String domain, List<DescriptorEntry> path) {
    StringBuilder words = new StringBuilder(domain);
    StringBuilder exact = new StringBuilder();
    exact.append(domain.length()).append(':').append(domain);
    for (DescriptorEntry step : path) {
      words.append('.').append(step.describe());
      for (String text : List.of(step.key(), step.value())) {
        exact.append(text.length()).append(':').append(text);
      }
    }
    int length = Math.min(MAX_READABLE_CHARACTERS, words.length());
    String readable = words.substring(0, length).replaceAll("[^A-Za-z0-9._]", "_");
    return PREFIX + readable + '-' + digest(exact.toString());
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
