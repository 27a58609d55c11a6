package io.weir.compat.cluster;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.Key;
import io.weir.compat.redis.RedisServer;
import java.nio.charset.Charset;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds what a reader of a Redis could learn: identities in the clear or behind a plain hash, and
 * keys that never expire.
 *
 * <p>Confine to one thread.
 */
final class Leaks {
  private static final List<String> HASHES =
      List.of("MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-512");
  private static final int BYTES = 16;

  /** Sixteen bytes are 21 whole characters of base64, and some bits of the next. */
  private static final int CHARACTERS = 21;

  private final RedisServer redis;
  private final Map<String, String> revealing = new TreeMap<>();
  private final List<String> found = new ArrayList<>();

  private Leaks(RedisServer redis) {
    this.redis = redis;
  }

  /** Looks for identities, each of them under policies of these names. */
  static List<String> in(RedisServer redis, List<String> identities, List<String> policies)
      throws NoSuchAlgorithmException {
    Leaks leaks = new Leaks(redis);
    for (String identity : identities) {
      leaks.reveals(identity, identity);
      leaks.hashesOf(identity);
      for (String policy : policies) {
        for (String between : List.of("", ":", "/", "|", ".")) {
          leaks.hashesOf(policy + between + identity);
          leaks.hashesOf(policy + between + Key.of(identity).encoded());
        }
      }
    }
    leaks.scan();
    return leaks.found;
  }

  /** All keys of a Redis. */
  static List<String> keys(RedisServer redis) {
    List<String> keys = new ArrayList<>();
    String cursor = "0";
    do {
      List<String> reply = redis.ask("SCAN", cursor, "COUNT", "1000").lines().toList();
      cursor = reply.get(0);
      reply.stream().skip(1).filter(each -> !each.isEmpty()).forEach(keys::add);
    } while (!cursor.equals("0"));
    return keys;
  }

  private void hashesOf(String text) throws NoSuchAlgorithmException {
    for (String spelling : List.of(text, Key.of(text).encoded(), text.toLowerCase(Locale.ROOT))) {
      for (Charset charset : List.of(UTF_8, UTF_16LE)) {
        byte[] bytes = spelling.getBytes(charset);
        reveals(HexFormat.of().formatHex(bytes), text);
        reveals(base64(bytes), text);
        for (String hash : HASHES) {
          byte[] digest = MessageDigest.getInstance(hash).digest(bytes);
          reveals(HexFormat.of().formatHex(digest, 0, BYTES), text);
          reveals(base64(digest).substring(0, CHARACTERS), text);
        }
      }
    }
  }

  private void reveals(String inTheStore, String text) {
    revealing.put(comparable(inTheStore), text);
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().withoutPadding().encodeToString(bytes);
  }

  /** One spelling for the alphabets of base64 and the cases of hexadecimal digits. */
  private static String comparable(String text) {
    return text.replace('-', '+').replace('_', '/').toLowerCase(Locale.ROOT);
  }

  private void scan() {
    for (String key : keys(redis)) {
      String ttl = redis.ask("PTTL", key);
      if (ttl.equals("-1")) {
        found.add("no end: " + key);
      }
      look(key, key);
      look(key, redis.ask("DUMP", key));
    }
  }

  private void look(String key, String text) {
    String comparable = comparable(text);
    revealing.forEach(
        (revealed, identity) -> {
          if (comparable.contains(revealed)) {
            found.add("reveals " + identity + ": " + key);
          }
        });
  }
}
