package io.weir.internal.rules.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Ticker;
import io.weir.rules.access.AccessToken;
import io.weir.rules.access.Session;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds all valid tokens and sessions, by their hashes. Safe for concurrent use.
 *
 * <p>Bounded by the rows of the database: unknown secrets leave nothing here.
 */
final class CredentialIndex {
  private static final int MAX_HASHES = 10_000;

  /** Hashes of known secrets: a connection may show its secret with each command. */
  private final Cache<String, String> hashes =
      Caffeine.newBuilder().maximumSize(MAX_HASHES).executor(Runnable::run).build();

  private final Map<String, Instant> used = new ConcurrentHashMap<>();

  /** Hashes of sessions that have ended here and are still in the database. */
  private final Set<String> ended = ConcurrentHashMap.newKeySet();

  private final Ticker ticker;
  private volatile Content content = new Content(Map.of(), Map.of());

  private record Content(Map<String, AccessToken> tokens, Map<String, SessionRow> sessions) {}

  CredentialIndex(Ticker ticker) {
    this.ticker = ticker;
  }

  void replace(Map<String, AccessToken> tokens, Map<String, SessionRow> sessions) {
    content = new Content(Map.copyOf(tokens), Map.copyOf(sessions));
  }

  Optional<AccessToken> token(String secret) {
    Map<String, AccessToken> tokens = content.tokens();
    String hash = hash(secret);
    AccessToken token = hash == null ? null : tokens.get(hash);
    if (hash == null || token == null) {
      return Optional.empty();
    }
    hashes.put(secret, hash);
    Instant now = ticker.instant();
    if (!token.isValid(now)) {
      return Optional.empty();
    }
    used.put(hash, now);
    return Optional.of(token);
  }

  Optional<Session> session(String secret) {
    Content all = content;
    String hash = hash(secret);
    SessionRow row = hash == null ? null : all.sessions().get(hash);
    if (hash == null || row == null || ended.contains(hash)) {
      return Optional.empty();
    }
    hashes.put(secret, hash);
    Instant now = ticker.instant();
    if (row.isExpired(now)) {
      return Optional.empty();
    }
    if (row.isByToken()) {
      AccessToken token = all.tokens().get(row.token());
      if (token == null || !token.isValid(now)) {
        return Optional.empty();
      }
      return Optional.of(row.session().byToken(token.name()));
    }
    return Optional.of(row.session());
  }

  /**
   * Ends a session here until {@link #forgetEnded}.
   *
   * @return false if no session of this secret is or was here
   */
  boolean end(String secret) {
    String hash = AccessSecret.hash(secret);
    if (session(secret).isPresent()) {
      ended.add(hash);
    }
    return ended.contains(hash);
  }

  Set<String> ended() {
    return Set.copyOf(ended);
  }

  /** Forgets sessions that are no longer among the content. */
  void forgetEnded(Set<String> deleted) {
    ended.removeAll(deleted);
  }

  private @Nullable String hash(String secret) {
    if (secret.isEmpty() || secret.length() > AccessSecret.MAX_LENGTH) {
      return null;
    }
    String known = hashes.getIfPresent(secret);
    return known == null ? AccessSecret.hash(secret) : known;
  }

  /** Removes and returns when tokens were used last, by their hashes. */
  Map<String, Instant> takeUsed() {
    Map<String, Instant> taken = new ConcurrentHashMap<>(used);
    taken.forEach(used::remove);
    return taken;
  }
}
