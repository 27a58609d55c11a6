package io.weir.internal.server.access;

import io.weir.internal.control.access.CallerName;
import io.weir.rules.access.AccessToken;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.access.Session;
import io.weir.rules.access.Sessions;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Verifies access tokens, JWTs and sessions, from memory. An unknown token or cookie that has the
 * form of Weir's own may be new: then the answer waits until all are read again, at most {@code
 * weir.rules.timeout}.
 *
 * <p>Safe for concurrent use.
 */
public final class CredentialVerifier implements Authenticator {
  /** The identities of programs, created once, because each command needs one. */
  private static final Map<Role, Identity> PROGRAMS = programs();

  /** The most request threads that wait; others are answered at once. */
  private static final int MAX_WAITING = 4;

  private final Semaphore waiting = new Semaphore(MAX_WAITING);
  private final AccessTokens tokens;
  private final Sessions sessions;
  private final Optional<JwtVerifier> jwts;

  /** Accepts no JWTs if {@code jwts} is empty. */
  public CredentialVerifier(AccessTokens tokens, Sessions sessions, Optional<JwtVerifier> jwts) {
    this.tokens = tokens;
    this.sessions = sessions;
    this.jwts = jwts;
  }

  private static Map<Role, Identity> programs() {
    Map<Role, Identity> all = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      all.put(role, new Identity(Set.of(role), Optional.empty()));
    }
    return all;
  }

  @Override
  public Optional<Identity> authenticate(String token) {
    Optional<AccessToken> known = tokens.find(token);
    return known.isPresent()
        ? known.flatMap(CredentialVerifier::identity)
        : jwts.flatMap(verifier -> verifier.verify(token)).map(Authentication::identity);
  }

  @Override
  public CompletionStage<Optional<Identity>> authenticateSoon(String token) {
    Optional<Identity> known = authenticate(token);
    return known.isPresent()
        ? CompletableFuture.completedFuture(known)
        : tokens.findSoon(token).thenApply(found -> found.flatMap(CredentialVerifier::identity));
  }

  @Override
  public boolean mayBeUnread(String token) {
    return !token.isEmpty()
        && (!tokens.areRead() || jwts.filter(each -> each.mayBeUnread(token)).isPresent());
  }

  /**
   * Returns whether a session that isn't found may be open all the same, since the sessions haven't
   * been read since the start.
   *
   * @return false once all have been read
   */
  public boolean mayBeUnreadSession() {
    return !tokens.areRead(); // both are read together
  }

  /**
   * Verifies a token; may wait.
   *
   * @return empty if the token is unknown, revoked or expired
   */
  public Optional<Authentication> verifyToken(String token) {
    return authentication(waitIfUnknown(tokens.find(token), () -> tokens.findSoon(token)), token);
  }

  /** Verifies a token by the state in memory; never waits. */
  public Optional<Authentication> verifyKnownToken(String token) {
    return authentication(tokens.find(token), token);
  }

  private Optional<Authentication> authentication(Optional<AccessToken> known, String token) {
    return known.isPresent()
        ? known.flatMap(CredentialVerifier::authentication)
        : jwts.flatMap(verifier -> verifier.verify(token));
  }

  private <T> Optional<T> waitIfUnknown(
      Optional<T> known, Supplier<CompletionStage<Optional<T>>> findSoon) {
    if (known.isPresent() || !waiting.tryAcquire()) {
      return known;
    }
    try {
      return findSoon.get().toCompletableFuture().join();
    } finally {
      waiting.release();
    }
  }

  /**
   * Verifies a session; may wait.
   *
   * @param secret the value of the browser's cookie
   * @return empty if the session is unknown or has ended
   */
  public Optional<Authentication> verifySession(String secret) {
    return waitIfUnknown(sessions.find(secret), () -> sessions.findSoon(secret))
        .filter(session -> isUser(session.userId()))
        .map(CredentialVerifier::authentication);
  }

  /** Verifies a session by the state in memory; never waits. */
  public Optional<Authentication> verifyKnownSession(String secret) {
    return sessions
        .find(secret)
        .filter(session -> isUser(session.userId()))
        .map(CredentialVerifier::authentication);
  }

  private static Optional<Authentication> authentication(AccessToken token) {
    return identity(token)
        .map(
            identity ->
                new Authentication(
                    identity,
                    token.userId().orElse(token.name()),
                    Optional.empty(),
                    token.validUntil()));
  }

  /** Returns empty for a role that this version doesn't know, and for an invalid user name. */
  private static Optional<Identity> identity(AccessToken token) {
    return Role.of(token.role())
        .filter(known -> isUser(token.userId()))
        .map(
            role ->
                token.userId().isEmpty()
                    ? program(role)
                    : new Identity(Set.of(role), token.userId()));
  }

  private static boolean isUser(Optional<String> userId) {
    return userId.isEmpty() || CallerName.isUser(userId.get());
  }

  private static Identity program(Role role) {
    return PROGRAMS.getOrDefault(role, new Identity(Set.of(), Optional.empty()));
  }

  private static Authentication authentication(Session session) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    session.roles().forEach(each -> Role.of(each).ifPresent(roles::add));
    return new Authentication(
        new Identity(roles, session.userId()),
        session.userId().or(session::tokenName).orElse("session"),
        Optional.empty(),
        Optional.of(session.validUntil()));
  }
}
