package io.weir.internal.rules.bans;

import io.weir.access.AccessEntry;
import io.weir.internal.rules.database.Sha256Digest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A ban that this node has made.
 *
 * @param key the same on all nodes for a policy and a caller
 */
record NodeBan(String key, String policy, AccessEntry entry) {
  /** Rounds the end as databases do. */
  static NodeBan of(AccessEntry entry, String policy) {
    String state = entry.isShadow() ? "shadow" : "enforced";
    Instant end = entry.end().orElseThrow().truncatedTo(ChronoUnit.MICROS);
    return new NodeBan(
        Sha256Digest.of(state + '\n' + policy + '\n' + entry.subject()), policy, entry.until(end));
  }

  Instant end() {
    return entry.end().orElseThrow();
  }

  NodeBan longer(NodeBan other) {
    return other.end().isAfter(end()) ? other : this;
  }
}
