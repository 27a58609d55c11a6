package io.weir.rules.access;

import java.time.Instant;
import java.util.Optional;

/**
 * Describes a token by which a program or a person uses the decision service. The database has only
 * a SHA-256 of its secret.
 *
 * @param id the first 12 hex digits of the SHA-256, which name it but are useless to sign in
 * @param name its purpose, in words
 * @param role the role of its holder: {@code weir-admin}, {@code weir-view}, {@code weir-check},
 *     {@code weir-metrics} or {@code user}
 * @param userId the user whose account it opens; empty for a program
 * @param createdAt when it was created; empty if the row was inserted by SQL
 * @param validUntil when it ends, or has ended, exclusive; empty if never
 * @param lastUsed when it was used last, to the hour; empty if never
 */
public record AccessToken(
    String id,
    String name,
    String role,
    Optional<String> userId,
    Optional<Instant> createdAt,
    Optional<Instant> validUntil,
    Optional<Instant> lastUsed) {
  /**
   * Returns whether it is valid at a time.
   *
   * @param now the time
   * @return false if it has ended, or was revoked
   */
  public boolean isValid(Instant now) {
    return validUntil.map(now::isBefore).orElse(true);
  }
}
