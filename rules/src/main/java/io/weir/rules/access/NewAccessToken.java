package io.weir.rules.access;


/**
 * A token that was made just now, with its secret, which can't be read again.
 *
 * @param token the token
 * @param secret what its owner sends: {@code weir_} and 43 letters and digits, 256 random bits
 */
public record NewAccessToken(AccessToken token, String secret) {
  /** Without the secret, so that it gets into no log. */
  @Override
  public String toString() {
    return "new token " + token.id();
  }
}
