package io.weir.compat.cassandra.recipe;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Counts events by phone number over the last hour, in a table of Cassandra whose rows expire by
 * themselves.
 *
 * <p>It is exact for callers that come one after another. Callers that come at the same time read
 * the same count, so that all of them may pass where only one should.
 *
 * <p>Safe for concurrent use. All failures are those of the driver.
 */
public final class PhoneEvents {
  /** Makes the table, in the keyspace of the session. */
  public static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS rate_limit (
        phone_hash text,
        event_time timeuuid,
        PRIMARY KEY ((phone_hash), event_time))""";

  private final CqlSession session;
  private final PreparedStatement insert;
  private final PreparedStatement select;
  private final SecretKeySpec key;

  /**
   * Counts in a table that exists.
   *
   * @param session connected to the keyspace of the table; the caller closes it
   * @param secret long and random, the same for all that count these numbers
   */
  public PhoneEvents(CqlSession session, String secret) {
    this.session = session;
    this.key = new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256");
    insert =
        session.prepare(
            "INSERT INTO rate_limit (phone_hash, event_time)"
                + " VALUES (?, now()) USING TTL 3600");
    select = session.prepare("SELECT COUNT(*) FROM rate_limit WHERE phone_hash = ?");
  }

  /**
   * Notes an event now.
   *
   * @param phone always written the same way, such as {@code +4915112345678}
   */
  public void add(String phone) {
    session.execute(insert.bind(hash(phone)));
  }

  /**
   * Counts the events of the last hour.
   *
   * @param phone written as in {@link #add}
   * @return 0 or more
   */
  public long count(String phone) {
    Row row = session.execute(select.bind(hash(phone))).one();
    return Objects.requireNonNull(row).getLong(0);
  }

  /** Keyed, since all phone numbers can be tried against a plain hash. */
  private String hash(String phone) {
    try {
      Mac mac = Mac.getInstance(key.getAlgorithm());
      mac.init(key);
      return HexFormat.of().formatHex(mac.doFinal(phone.getBytes(UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java has HmacSHA256", impossible);
    }
  }
}
