package io.weir.compat.cassandra;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Configures a node: lines of cassandra.yaml beside those that it needs anyway, and whether clients
 * sign in or use TLS.
 *
 * <p>Immutable.
 */
public final class CassandraConfig {
  private static final CassandraConfig PLAIN = new CassandraConfig(Map.of(), Optional.empty());

  private final Map<String, String> lines;
  private final Optional<Certificate> certificate;

  private CassandraConfig(Map<String, String> lines, Optional<Certificate> certificate) {
    this.lines = Map.copyOf(lines);
    this.certificate = certificate;
  }

  /**
   * Everybody may do everything, and nothing is encrypted.
   *
   * @return the default configuration of a node
   */
  public static CassandraConfig plain() {
    return PLAIN;
  }

  /**
   * With a line of cassandra.yaml, in place of another of this name.
   *
   * @param name such as {@code write_request_timeout}
   * @param value such as {@code 500ms}
   * @return another configuration
   */
  public CassandraConfig with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(lines);
    more.put(name, value);
    return new CassandraConfig(more, certificate);
  }

  /**
   * Clients log in. There is one user, {@link CassandraServer#USER}, with all permissions.
   *
   * @return another configuration
   */
  public CassandraConfig withPasswords() {
    return with("authenticator", "PasswordAuthenticator").with("authorizer", "CassandraAuthorizer");
  }

  /**
   * Clients speak TLS; without it they are refused.
   *
   * @param shown what they must trust
   * @return another configuration
   */
  public CassandraConfig withTls(Certificate shown) {
    CassandraConfig more = with("client_encryption_options", shown.encryption());
    return new CassandraConfig(more.lines, Optional.of(shown));
  }

  Map<String, String> lines() {
    return lines;
  }

  Optional<Certificate> certificate() {
    return certificate;
  }
}
