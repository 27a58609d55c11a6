package io.weir.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Computes the names of buckets in a remote store: an HMAC-SHA-256 of spec and key with a secret,
 * cut to 128 bits and written as {@value #LENGTH} letters, digits, {@code -} and {@code _}.
 *
 * <p>A reader of the store doesn't learn whom it counts, and can't find out by hashing likely
 * callers either. Without a secret a constant of Weir is used; then anyone who knows that can guess
 * names.
 *
 * <p>The hashed input is unambiguous: every text comes with its length, and character by character,
 * so that even texts that aren't valid Unicode stay distinct.
 *
 * <p>Safe for concurrent use.
 */
public final class BucketHasher {
  /** The length of a name in characters. */
  public static final int LENGTH = 22;

  private static final System.Logger LOG = System.getLogger(BucketHasher.class.getName());
  private static final String DIGEST = "SHA-256";
  private static final int BLOCK = 64;
  private static final int FINGERPRINT_BYTES = 2;
  private static final String BUILT_IN = "weir: no secret was set";
  private static final AtomicBoolean WARNED = new AtomicBoolean();
  private static final int LETTER = 6; // bits

  /** The prefix for a policy's bucket, whose input begins with a length and so with a zero. */
  private static final byte[] POLICY = {};

  private static final byte[] EXACT = {1};
  private static final byte[] LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
          .getBytes(StandardCharsets.US_ASCII);

  // An HMAC is a digest of a digest, each begun with a block made of the secret. These two have
  // consumed their block: a javax.crypto.Mac would do so again for every name.
  private final MessageDigest inner;
  private final MessageDigest outer;

  private BucketHasher(String secret) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    byte[] key = Arrays.copyOf(bytes.length > BLOCK ? digest().digest(bytes) : bytes, BLOCK);
    inner = begun(key, 0x36);
    outer = begun(key, 0x5C);
  }

  private static MessageDigest begun(byte[] key, int pad) {
    byte[] block = key.clone();
    for (int i = 0; i < BLOCK; i++) {
      block[i] ^= (byte) pad;
    }
    MessageDigest digest = digest();
    digest.update(block);
    return digest;
  }

  /**
   * Makes a hasher with a secret that all nodes of a cluster share.
   *
   * @param secret the value of {@code weir.secret}; empty for the built-in constant, which is
   *     warned of once
   * @return the hasher
   */
  public static BucketHasher of(String secret) {
    if (!secret.isEmpty()) {
      return new BucketHasher(secret);
    }
    if (WARNED.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "weir.secret isn't set: anyone who can read the store can guess whom it counts");
    }
    return unwarned(secret);
  }

  /**
   * Makes the same hasher without a warning, for names that go to no store.
   *
   * @param secret the value of {@code weir.secret}; empty for the built-in constant
   * @return the hasher
   */
  public static BucketHasher unwarned(String secret) {
    return new BucketHasher(secret.isEmpty() ? BUILT_IN : secret);
  }

  /**
   * Returns a bucket's name. It is computed once for each {@link BucketId}, which remembers it:
   * hashing takes longer than everything else that a node does for a claim.
   *
   * @param bucket the bucket
   * @return {@value #LENGTH} characters that are safe in keys, file names and URLs
   */
  public String of(BucketId bucket) {
    byte[] name = new byte[LENGTH];
    write(bucket, name, 0);
    return new String(name, StandardCharsets.US_ASCII);
  }

  /**
   * Writes a bucket's name into a longer one.
   *
   * @param bucket the bucket
   * @param into where its {@value #LENGTH} ASCII characters are written
   * @param begin where they begin there
   * @throws IndexOutOfBoundsException if they don't fit
   */
  public void write(BucketId bucket, byte[] into, int begin) {
    write(known(bucket), into, begin);
  }

  /**
   * Writes the name of a bucket that is counted exactly. No policy's bucket has such a name.
   *
   * @param bucket the bucket
   * @param into where its {@value #LENGTH} ASCII characters are written
   * @param begin where they begin there
   * @throws IndexOutOfBoundsException if there is no room for them
   */
  public void write(ExactBucketId bucket, byte[] into, int begin) {
    write(name(bucket.encoded(), EXACT), into, begin);
  }

  private static void write(BucketHash name, byte[] into, int begin) {
    // Base64 of 128 bits, the highest first: six bits a character, the last has two and four zeros.
    long high = name.high();
    long low = name.low();
    for (int at = begin; at < begin + LENGTH; at++) {
      into[at] = LETTERS[(int) (high >>> (Long.SIZE - LETTER))];
      high = high << LETTER | low >>> (Long.SIZE - LETTER);
      low <<= LETTER;
    }
  }

  /**
   * Computes a bucket's name, which the bucket remembers, so that the thread that others wait for
   * needn't do it.
   *
   * @param bucket the bucket
   */
  public void prepare(BucketId bucket) {
    BucketHash unused = known(bucket);
  }

  private BucketHash known(BucketId bucket) {
    BucketHash name = bucket.name();
    if (name == null || name.by() != this) {
      name = name(bucket);
      bucket.name(name);
    }
    return name;
  }

  private BucketHash name(BucketId bucket) {
    return name(written(bucket), POLICY);
  }

  private BucketHash name(byte[] written, byte[] nameSpace) {
    MessageDigest inside = copy(inner);
    inside.update(nameSpace);
    inside.update(written);
    MessageDigest outside = copy(outer);
    outside.update(inside.digest());
    ByteBuffer hash = ByteBuffer.wrap(outside.digest());
    return new BucketHash(this, hash.getLong(), hash.getLong());
  }

  /**
   * Computes a fingerprint of the secret, to be compared with those of other nodes: equal for equal
   * secrets, and different for others except once in 65,536 times.
   *
   * <p>The secret can't be derived from it: it is an HMAC, so it can only be guessed, and since it
   * has 16 bits, one in 65,536 of all guesses matches. It reveals 16 bits of a random secret, and
   * confirms no guess of a weak one. No bucket has such a name, since its input begins differently.
   *
   * @return four hexadecimal digits
   */
  public String fingerprint() {
    MessageDigest inside = copy(inner);
    inside.update("weir: which secret".getBytes(StandardCharsets.US_ASCII));
    MessageDigest outside = copy(outer);
    outside.update(inside.digest());
    return HexFormat.of().formatHex(outside.digest(), 0, FINGERPRINT_BYTES);
  }

  private static byte[] written(BucketId bucket) {
    BucketSpec spec = bucket.spec();
    String algorithm = spec.algorithm().name();
    String key = bucket.encodedKey();
    // After the key, like a refill, so that buckets without either keep the names that they had
    // before.
    String calendar = spec.calendar().map(CalendarWindow::toString).orElse("");
    int texts = calendar.isEmpty() ? 3 : 4;
    int characters = spec.name().length() + algorithm.length() + key.length() + calendar.length();
    int length = texts * Integer.BYTES + 2 * Long.BYTES + 2 * characters;
    int flags = (spec.hasRefill() ? 1 : 0) + (spec.clears() ? 1 : 0);
    ByteBuffer into = ByteBuffer.allocate(length + flags);
    put(into, spec.name());
    put(into, algorithm);
    into.putLong(spec.windowMicros()).putLong(spec.burst());
    put(into, key);
    if (!calendar.isEmpty()) {
      put(into, calendar);
    }
    if (spec.hasRefill()) {
      into.put((byte) (spec.strict() ? 1 : 0));
    }
    if (spec.clears()) {
      into.put((byte) 1);
    }
    return into.array();
  }

  private static void put(ByteBuffer into, String text) {
    into.putInt(text.length());
    for (int i = 0; i < text.length(); i++) {
      into.putChar(text.charAt(i));
    }
  }

  // A digest is for one thread; a copy of one that has its secret is cheaper than a new one.
  private static MessageDigest copy(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException unusual) {
      throw new IllegalStateException("the security provider's " + DIGEST + " can't be copied");
    }
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance(DIGEST);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has " + DIGEST, impossible);
    }
  }
}
