package io.weir.internal.redis.address;

/**
 * The user and password of a connection. Its text doesn't contain the password.
 *
 * <p>Immutable.
 *
 * @param user empty for the default user
 * @param password empty for none
 */
public record Login(String user, String password) {
  /** The default user without a password. */
  public static final Login NONE = new Login("", "");

  /** Overrides user and password by those of settings, unless they are empty. */
  public Login or(String otherUser, String otherPassword) {
    return new Login(
        otherUser.isEmpty() ? user : otherUser, otherPassword.isEmpty() ? password : otherPassword);
  }

  @Override
  public String toString() {
    return user;
  }
}
