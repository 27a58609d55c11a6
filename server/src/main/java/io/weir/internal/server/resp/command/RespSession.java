package io.weir.internal.server.resp.command;

import io.weir.internal.server.access.Identity;
import io.weir.internal.server.access.Authenticator;
import io.weir.internal.server.access.Role;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What a server knows of one connection: who has signed in, by which version of the protocol it
 * speaks, and what it calls itself.
 *
 * <p>Confine to one thread.
 */
public final class RespSession {
  private final long id;
  private final Authenticator authenticator;
  private final boolean open;
  private Optional<String> token = Optional.empty();
  private boolean mayCheck;
  private boolean signingIn;
  private int protocol = 2;
  private String name = "";
  private String library = "";
  private String libraryVersion = "";
  private boolean ending;

  /**
   * A connection that has just come.
   *
   * @param id no other connection has it
   * @param authenticator knows tokens
   * @param open whether who hasn't signed in may check
   */
  public RespSession(long id, Authenticator authenticator, boolean open) {
    this.id = id;
    this.authenticator = authenticator;
    this.open = open;
    this.mayCheck = open;
  }

  /** Asks again what the token is good for: it may have been revoked. */
  public void refresh() {
    if (token.isPresent()) {
      mayCheck = mayCheck(token.get());
    }
  }

  private boolean mayCheck(String given) {
    return mayCheck(authenticator.authenticate(given));
  }

  private static boolean mayCheck(Optional<Identity> access) {
    return access.isPresent() && access.get().may(Role.CHECK);
  }

  /** Finds out whether a token is good for anything here; at once, unless it may be new. */
  CompletableFuture<Boolean> isGood(String given) {
    return authenticator
        .authenticateSoon(given)
        .thenApply(access -> mayCheck(access))
        .toCompletableFuture();
  }

  /** Begins a sign-in whose token isn't known yet: nothing is executed until it has ended. */
  void beginSignIn() {
    signingIn = true;
  }

  /** Ends it without success; all is as before. */
  void endSignIn() {
    signingIn = false;
  }

  /** Signs in by a good token. */
  void signIn(String given) {
    signingIn = false;
    token = Optional.of(given);
    mayCheck = true;
  }

  /**
   * Tells whether a sign-in is under way, on which depends what the next command may do.
   *
   * @return true until its reply is written
   */
  public boolean isSigningIn() {
    return signingIn;
  }

  /** As it was when it came. */
  void reset() {
    token = Optional.empty();
    mayCheck = open;
    protocol = 2;
    name = "";
  }

  /**
   * Whether it may use commands.
   *
   * @return true while a good token was sent, or none is needed
   */
  public boolean mayCheck() {
    return mayCheck;
  }

  /**
   * The version of the protocol that replies are written in.
   *
   * @return 2 or 3
   */
  public int protocol() {
    return protocol;
  }

  void protocol(int version) {
    protocol = version;
  }

  long id() {
    return id;
  }

  String name() {
    return name;
  }

  void name(String given) {
    name = given;
  }

  void library(String given) {
    library = given;
  }

  void libraryVersion(String given) {
    libraryVersion = given;
  }

  /** It asked to be closed when its replies are sent. */
  void end() {
    ending = true;
  }

  /**
   * Whether the client asked to be closed.
   *
   * @return true once it did
   */
  public boolean isEnding() {
    return ending;
  }

  /** What {@code CLIENT INFO} says. */
  String describe() {
    return "id="
        + id
        + " name="
        + name
        + " db=0 resp="
        + protocol
        + " lib-name="
        + library
        + " lib-ver="
        + libraryVersion
        + "\n";
  }
}
