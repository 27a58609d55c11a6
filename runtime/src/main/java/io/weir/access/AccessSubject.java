package io.weir.access;

import io.weir.internal.value.AddressBits;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Identifies the callers that an entry of an access list is about: an address or a block of
 * addresses, a key, a user, a value that a named {@link io.weir.spi.KeyResolver} reads, or a caller
 * as a policy counts it.
 *
 * <p>Two subjects are equal if they mean the same callers: an address has one spelling, an IPv6
 * address that only carries an IPv4 address is that IPv4 address, and a block begins with its first
 * address. Names and values are compared character by character.
 *
 * <p>Immutable.
 */
public final class AccessSubject {
  /** The kinds of subjects. */
  public enum Type {
    /** An address or a CIDR block. */
    ADDRESS("ip"),
    /** A key, by the SHA-256 of its text. */
    KEY("key"),
    /** A user by name. */
    USER("user"),
    /** A value that a {@link io.weir.spi.KeyResolver} reads. */
    RESOLVED("resolver"),
    /** A caller as one policy counts it; only bans are of such callers. */
    POLICY("policy");

    private final String prefix;

    Type(String word) {
      this.prefix = word + ":";
    }
  }

  /** The longest name of a user or resolver, and the longest value, in characters. */
  private static final int MAX_TEXT = 500;

  /** The longest key of a policy, in characters. */
  private static final int MAX_COUNTED = 2_000;

  /** Stands for all policies in the subject of a ban. */
  public static final String ANY_POLICY = "*";

  private static final Pattern POLICY_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}|\\*");

  private static final String DIGEST = "sha256:";
  private static final Pattern DIGEST_FORM = Pattern.compile("sha256:[0-9a-f]{64}");

  private final Type type;

  /** The name of the resolver or the policy. */
  private final String name;

  private final String value;

  private AccessSubject(Type type, String name, String value) {
    this.type = type;
    this.name = name;
    this.value = value;
  }

  /**
   * Returns the subject of an address, or of all addresses in a block.
   *
   * @param addressOrBlock such as {@code 203.0.113.7}, {@code 203.0.113.0/24} or {@code
   *     2001:db8::/32}
   * @return the subject; a block whose prefix covers the whole address is that address
   * @throws IllegalArgumentException if it is neither, or covers all addresses; the message is the
   *     rule that it breaks
   */
  public static AccessSubject address(String addressOrBlock) {
    AddressBits bits =
        AddressBits.parse(addressOrBlock)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "must be an address or a CIDR block such as 203.0.113.0/24, but is '"
                            + addressOrBlock
                            + "'"));
    if (bits.coversAll()) {
      throw new IllegalArgumentException(
          "must not cover all addresses, as '" + addressOrBlock + "' does");
    }
    return new AccessSubject(Type.ADDRESS, "", bits.text());
  }

  /**
   * Returns the subject of a key that is known by its digest.
   *
   * @param digest {@code sha256:} and 64 hex digits, the SHA-256 of the key's text in UTF-8
   * @return the subject
   * @throws IllegalArgumentException if it has another form; the message is the rule that it breaks
   */
  public static AccessSubject key(String digest) {
    String lower = digest.toLowerCase(Locale.ROOT);
    if (!DIGEST_FORM.matcher(lower).matches()) {
      throw new IllegalArgumentException(
          "must be the digest of a key: sha256: and 64 hex digits"); // not the text: it is a secret
    }
    return new AccessSubject(Type.KEY, "", lower);
  }

  /**
   * Returns the subject of a key that is known itself.
   *
   * @param plain the text of the key, as {@code weir.access.key} reads it
   * @return the subject, which has only the digest
   */
  public static AccessSubject keyOf(String plain) {
    byte[] text = plain.getBytes(StandardCharsets.UTF_8);
    return new AccessSubject(Type.KEY, "", DIGEST + HexFormat.of().formatHex(sha256(text)));
  }

  /**
   * Returns the subject of a user.
   *
   * @param name the name of the principal, or that of {@link io.weir.spi.UserNames}; 1 to 500
   *     characters
   * @return the subject
   * @throws IllegalArgumentException if it is blank, too long, or has control characters; the
   *     message is the rule that it breaks
   */
  public static AccessSubject user(String name) {
    return new AccessSubject(Type.USER, "", checked("the name of a user", name));
  }

  /**
   * Returns the subject of a value that a resolver reads.
   *
   * @param resolver the name of a {@link io.weir.spi.KeyResolver}, without a colon; 1 to 500
   *     characters
   * @param value the value, 1 to 500 characters
   * @return the subject
   * @throws IllegalArgumentException if one is blank, too long, or has control characters, or the
   *     name has a colon; the message is the rule that it breaks
   */
  public static AccessSubject resolved(String resolver, String value) {
    checked("the name of a resolver", resolver);
    if (resolver.indexOf(':') >= 0) {
      throw new IllegalArgumentException("the name of a resolver must not have a colon");
    }
    return new AccessSubject(Type.RESOLVED, resolver, checked("the value of a resolver", value));
  }

  /**
   * Returns the subject of a caller as one policy counts it, for bans.
   *
   * @param policy the policy's name; {@value #ANY_POLICY} for the whole application, where the key
   *     has more than an address or a name
   * @param key the parts of the policy's key, separated by commas, such as {@code
   *     ip:203.0.113.7,key:sha256:…}: addresses and names of users in clear, of other texts the
   *     digest; 1 to 2,000 characters
   * @return the subject
   * @throws IllegalArgumentException if it isn't the name of a policy, or the key is too long or
   *     has control characters; the message is the rule that it breaks
   */
  public static AccessSubject ofPolicy(String policy, String key) {
    if (!POLICY_NAME.matcher(policy).matches()) {
      throw new IllegalArgumentException(
          "policy: must be followed by the name of a policy, a colon and a key");
    }
    if (key.isEmpty() || key.length() > MAX_COUNTED) {
      throw new IllegalArgumentException("the key of a policy must have 1 to 2,000 characters");
    }
    checkControls("the key of a policy", key);
    return new AccessSubject(Type.POLICY, policy, key);
  }

  private static String checked(String what, String text) {
    if (text.isBlank() || text.length() > MAX_TEXT) {
      throw new IllegalArgumentException(
          what + " must have 1 to " + MAX_TEXT + " characters, and not be blank");
    }
    checkControls(what, text);
    return text;
  }

  private static void checkControls(String what, String text) {
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(what + " must not have control characters");
    }
  }

  /**
   * Reads the text of a subject: {@code ip:203.0.113.0/24}, {@code key:sha256:…}, {@code
   * user:alice}, {@code resolver:tenant:acme}, {@code policy:login:ip:203.0.113.7}, or an address
   * or block alone.
   *
   * @param text as {@link #toString()} writes it
   * @return the subject
   * @throws IllegalArgumentException if it is invalid; the message is the rule that it breaks
   */
  public static AccessSubject parse(String text) {
    for (Type type : Type.values()) {
      if (text.startsWith(type.prefix)) {
        return of(type, text.substring(type.prefix.length()));
      }
    }
    if (AddressBits.parse(text).isEmpty()) {
      throw new IllegalArgumentException(
          "must be an address, a CIDR block, or begin with ip:, key:, user: or resolver:");
    }
    return address(text);
  }

  private static AccessSubject of(Type type, String text) {
    return switch (type) {
      case ADDRESS -> address(text);
      case KEY -> key(text);
      case USER -> user(text);
      case RESOLVED -> {
        int colon = text.indexOf(':');
        if (colon < 0) {
          throw new IllegalArgumentException(
              "resolver: must be followed by the name of a resolver, a colon and a value");
        }
        yield resolved(text.substring(0, colon), text.substring(colon + 1));
      }
      case POLICY -> {
        int colon = text.indexOf(':');
        yield ofPolicy(text.substring(0, Math.max(0, colon)), text.substring(colon + 1));
      }
    };
  }

  private static byte[] sha256(byte[] text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  /**
   * Returns the kind of the subject.
   *
   * @return the kind
   */
  public Type type() {
    return type;
  }

  /**
   * Returns the name of the resolver that reads the value.
   *
   * @return empty unless the kind is {@link Type#RESOLVED}
   */
  public String resolver() {
    return type == Type.RESOLVED ? name : "";
  }

  /**
   * Returns the name of the policy that counts the caller so.
   *
   * @return empty unless the kind is {@link Type#POLICY}; {@code *} for the whole application
   */
  public String policy() {
    return type == Type.POLICY ? name : "";
  }

  /**
   * Returns the address or block in its canonical spelling, the digest, the name of the user, the
   * value, or the parts of a policy's key.
   *
   * @return the text that callers are compared with
   */
  public String value() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccessSubject that
        && type == that.type
        && name.equals(that.name)
        && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, name, value);
  }

  /** Returns the text that {@link #parse} reads. */
  @Override
  public String toString() {
    return name.isEmpty() ? type.prefix + value : type.prefix + name + ":" + value;
  }
}
