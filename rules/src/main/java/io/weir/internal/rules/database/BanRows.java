package io.weir.internal.rules.database;

/**
 * Distinguishes the bans that nodes write in {@code access_list} from the entries that people
 * write. They come and go by themselves, so that only what people change of them is in the history.
 */
public final class BanRows {
  public static final String ACTION = "action";

  /** The action of a ban. */
  public static final String BAN = "BAN";

  public static final String SUBJECT = "subject";
  public static final String REASON = "reason";
  public static final String STATE = "state";
  public static final String END = "valid_until";

  /** The policy that made the ban. */
  public static final String POLICY = "policy";

  /** Stands for the policy and the caller. */
  public static final String KEY = "ban_key";

  /** Is higher the later a ban was written. */
  public static final String NUMBER = "ban_number";

  /** The condition of bans, as SQL. */
  public static final String CONDITION = ACTION + " = '" + BAN + "' AND " + NUMBER + " IS NOT NULL";

  private BanRows() {}

  /** Returns whether a row is a ban that a node has written. */
  public static boolean is(StoredRow row) {
    return row.column(ACTION).orElse("").equals(BAN) && row.column(NUMBER).isPresent();
  }
}
