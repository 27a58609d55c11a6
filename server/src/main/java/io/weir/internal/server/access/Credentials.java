package io.weir.internal.server.access;

import io.weir.internal.control.access.Callers;
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
 * Knows access tokens, JWTs and sessions, from memory. Where a token or cookie is unknown and looks
 * like one of Weir's, it may be new: then the answer waits until all are read once more, at most
 * {@code weir.rules.timeout}.
 *
 * <p>Safe for concurrent use.
 */
public final class Credentials implements Authenticator {
  /** What programs may do, made once: they are asked about for each command. */
  private static final Map<Role, Access> PROGRAMS = programs();

  /** The most request threads that wait; others are answered at once. */
  private static final int MOST_WAITING = 4;

  private final Semaphore waiting = new Semaphore(MOST_WAITING);
  private final AccessTokens tokens;
  private final Sessions sessions;
  private final Optional<JwtVerifier> jwts;

  /**
   * Asks these.
   *
   * @param tokens access tokens
   * @param sessions who is signed in to the pages
   * @param jwts nothing: no JWT lets in
   */
  public Credentials(AccessTokens tokens, Sessions sessions, Optional<JwtVerifier> jwts) {
    this.tokens = tokens;
    this.sessions = sessions;
    this.jwts = jwts;
  }

  private static Map<Role, Access> programs() {
    Map<Role, Access> all = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      all.put(role, new Access(Set.of(role), Optional.empty()));
    }
    return all;
  }

  @Override
  public Optional<Access> authenticate(String token) {
    Optional<AccessToken> known = tokens.find(token);
    return known.isPresent()
        ? known.flatMap(Credentials::access)
        : jwts.flatMap(verifier -> verifier.verify(token)).map(SignedIn::access);
  }

  @Override
  public CompletionStage<Optional<Access>> authenticateSoon(String token) {
    Optional<Access> known = authenticate(token);
    return known.isPresent()
        ? CompletableFuture.completedFuture(known)
        : tokens.findSoon(token).thenApply(found -> found.flatMap(Credentials::access));
  }

  /**
   * Finds who bears a token; may wait.
   *
   * @param token as the client sent it
   * @return nothing if the token is unknown, revoked or expired
   */
  public Optional<SignedIn> bearer(String token) {
    return signedIn(waited(tokens.find(token), () -> tokens.findSoon(token)), token);
  }

  /**
   * Tells who bears a token by what is known at this moment; never waits.
   *
   * @param token as the client sent it
   * @return nothing if the token is unknown, revoked or expired
   */
  public Optional<SignedIn> known(String token) {
    return signedIn(tokens.find(token), token);
  }

  private Optional<SignedIn> signedIn(Optional<AccessToken> known, String token) {
    return known.isPresent()
        ? known.flatMap(Credentials::signedIn)
        : jwts.flatMap(verifier -> verifier.verify(token));
  }

  private <T> Optional<T> waited(
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
   * Finds whose session a browser shows; may wait.
   *
   * @param secret what its cookie says
   * @return nothing if there is no such session, or it is over
   */
  public Optional<SignedIn> session(String secret) {
    return waited(sessions.find(secret), () -> sessions.findSoon(secret))
        .filter(session -> isUser(session.userId()))
        .map(Credentials::signedIn);
  }

  /**
   * Tells whose session it is by what is known at this moment; never waits.
   *
   * @param secret what its cookie says
   * @return nothing if there is no such session, or it has ended
   */
  public Optional<SignedIn> knownSession(String secret) {
    return sessions
        .find(secret)
        .filter(session -> isUser(session.userId()))
        .map(Credentials::signedIn);
  }

  private static Optional<SignedIn> signedIn(AccessToken token) {
    return access(token)
        .map(
            access ->
                new SignedIn(
                    access,
                    token.userId().orElse(token.name()),
                    Optional.empty(),
                    token.validUntil()));
  }

  /** Nothing for a role that this version doesn't know, nor for a user that can't be one. */
  private static Optional<Access> access(AccessToken token) {
    return Role.of(token.role())
        .filter(known -> isUser(token.userId()))
        .map(
            role ->
                token.userId().isEmpty()
                    ? program(role)
                    : new Access(Set.of(role), token.userId()));
  }

  private static boolean isUser(Optional<String> userId) {
    return userId.isEmpty() || Callers.isUser(userId.get());
  }

  private static Access program(Role role) {
    return PROGRAMS.getOrDefault(role, new Access(Set.of(), Optional.empty()));
  }

  private static SignedIn signedIn(Session session) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    session.roles().forEach(each -> Role.of(each).ifPresent(roles::add));
    return new SignedIn(
        new Access(roles, session.userId()),
        session.userId().or(session::tokenName).orElse("session"),
        Optional.empty(),
        Optional.of(session.validUntil()));
  }
}
