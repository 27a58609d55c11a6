package io.weir.internal.server.resp.command;

import io.weir.internal.server.access.Authenticator;
import io.weir.internal.server.access.Identity;
import io.weir.internal.server.access.Role;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The state of one connection: its token, the version of the protocol, and the client's name.
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

  /** {@code id} is the unique number of the connection. */
  public RespSession(long id, Authenticator authenticator, boolean open) {
    this.id = id;
    this.authenticator = authenticator;
    this.open = open;
    this.mayCheck = open;
  }

  /** Authenticates the token again, which may have been revoked. */
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

  /** Determines whether a token may check; at once, unless the token may be new. */
  CompletableFuture<Boolean> mayCheckWith(String given) {
    return authenticator
        .authenticateSoon(given)
        .thenApply(access -> mayCheck(access))
        .toCompletableFuture();
  }

  /** Returns whether a token that isn't found may be valid, as the tokens haven't been read yet. */
  boolean mayBeUnread(String given) {
    return authenticator.mayBeUnread(given);
  }

  /** Begins a sign-in whose token isn't known yet: no command is executed until it ends. */
  void beginSignIn() {
    signingIn = true;
  }

  /** Ends a failed sign-in; the session is as before. */
  void endSignIn() {
    signingIn = false;
  }

  /** Signs in with a valid token. */
  void signIn(String given) {
    signingIn = false;
    token = Optional.of(given);
    mayCheck = true;
  }

  /**
   * Returns whether a sign-in is under way, which decides about the next command: true until its
   * reply is written.
   */
  public boolean isSigningIn() {
    return signingIn;
  }

  /** Restores the state of a new connection. */
  void reset() {
    token = Optional.empty();
    mayCheck = open;
    protocol = 2;
    name = "";
  }

  /** Returns whether its token is valid, or none is needed. */
  public boolean mayCheck() {
    return mayCheck;
  }

  /** Returns the version of the protocol for replies, 2 or 3. */
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

  /** Closes the connection when its replies are sent. */
  void end() {
    ending = true;
  }

  public boolean isEnding() {
    return ending;
  }

  /** Returns the line of {@code CLIENT INFO}. */
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
