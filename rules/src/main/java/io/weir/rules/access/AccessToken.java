package io.weir.rules.access;

import java.time.Instant;
import java.util.Optional;

/**
 * What lets a program or a person use the service. Its secret is known to whoever got it alone: the
 * database has a SHA-256 of it.
 *
 * @param id the first 12 hex digits of the SHA-256: enough to name it, and useless to sign in
 * @param name what it is for, in words
 * @param role what it may do: {@code weir-admin}, {@code weir-check}, {@code weir-metrics} or
 *     {@code user}
 * @param userId whose account it opens; nothing for a program
 * @param createdAt when it was made; nothing where somebody wrote the row by hand
 * @param validUntil when it ends, or has ended, exclusive; nothing: never
 * @param lastUsed when it was used, to the hour; nothing: never
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
   * Whether it is good at a time.
   *
   * @param now the time
   * @return false if it has ended, or was revoked
   */
  public boolean isValid(Instant now) {
    return validUntil.map(now::isBefore).orElse(true);
  }
}
