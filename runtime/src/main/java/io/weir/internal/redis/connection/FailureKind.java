package io.weir.internal.redis.connection;

import java.util.Arrays;
import java.util.Locale;

/**
 * What kind of trouble kept a call or a claim from being answered.
 *
 * <p>An error of Redis begins with a word that says its kind. Some pass by themselves once the
 * servers have sorted out who is the master; the others last until somebody mends what their {@link
 * #advice()} names.
 *
 * <p>Immutable.
 */
public enum FailureKind {
  /** No answer: it can't be connected to, hung up, or took too long. May have been executed. */
  AWAY(Lasting.PASSES, ""),
  /** The server forgot the script; the call is repeated. */
  NOSCRIPT(Lasting.PASSES, ""),
  /** Another master of the cluster has the slot; the call is repeated there. */
  MOVED(Lasting.PASSES, ""),
  /** Another master of the cluster is getting the slot; the call is repeated there. */
  ASK(Lasting.PASSES, ""),
  /** The slot is on its way. */
  TRYAGAIN(Lasting.PASSES, ""),
  /** It is a replica now. */
  READONLY(Lasting.PASSES, ""),
  /** It has just started. */
  LOADING(Lasting.PASSES, ""),
  /** The cluster isn't whole. */
  CLUSTERDOWN(Lasting.PASSES, ""),
  /** A replica lost its master. */
  MASTERDOWN(Lasting.PASSES, ""),
  /** It belongs to a cluster, and is addressed as if it were alone. */
  CROSSSLOT(
      Lasting.LASTS,
      "it is one node of a cluster; begin weir.store with redis-cluster:// and name some nodes"),
  /** It is full. */
  OOM(
      Lasting.LASTS,
      "its memory is full and maxmemory-policy lets nothing go; raise maxmemory or remove keys"),
  /** It can't save. */
  MISCONF(
      Lasting.LASTS,
      "it can't save to its disk and so takes no writes; make room on the disk, or set"
          + " stop-writes-on-bgsave-error no"),
  /** Too few replicas. */
  NOREPLICAS(
      Lasting.LASTS,
      "it has too few replicas to take writes; bring them back or lower min-replicas-to-write"),
  /** It wants a password. */
  NOAUTH(
      Lasting.LASTS,
      "it wants a user or password; set them in weir.store, or weir.store.redis.user and"
          + " weir.store.redis.password"),
  /** The password is another one. */
  WRONGPASS(
      Lasting.LASTS,
      "it knows another password, or the user is off; mend user and password in weir.store, or"
          + " weir.store.redis.user and weir.store.redis.password"),
  /** The user may not. */
  NOPERM(
      Lasting.LASTS,
      "the user may not do what Weir does; allow it all keys that begin with weir.prefix, and the"
          + " commands eval, evalsha, time, get, mget, set, setnx, msetnx, setrange, del, pexpireat,"
          + " hgetall, hset, hdel, pexpire, ping and, as the servers are set up, select, role, asking"
          + " and cluster|slots"),
  /** Somebody else's key. */
  WRONGTYPE(
      Lasting.OF_A_KEY,
      "a key that Weir counts by holds something else; give Weir a weir.prefix of its own and"
          + " remove that key"),
  /** A script of somebody runs for too long. */
  BUSY(
      Lasting.LASTS,
      "somebody's script runs and runs; end it by SCRIPT KILL, and mend the one who calls it"),
  /** Any other error. */
  OTHER(Lasting.OF_A_KEY, "it refuses what Weir sends; see what it says");

  private final Lasting lasting;
  private final String advice;

  FailureKind(Lasting lasting, String advice) {
    this.lasting = lasting;
    this.advice = advice;
  }

  /**
   * What an error is about.
   *
   * @param error what Redis said, with or without a leading minus
   * @return its kind
   */
  public static FailureKind of(String error) {
    // Redis 7 says so without a word of its own when it stops a script.
    if (error.contains("user executing the script")) {
      return NOPERM;
    }
    // Before Redis 7 what a script may not do is said with the line where it tried.
    String text = error.replaceFirst("^(@?user_script: ?\\d+: ?)?-?", "");
    String word = text.split("[\\s:]", 2)[0].toUpperCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(each -> each != AWAY && each != OTHER && each.name().equals(word))
        .findFirst()
        .orElse(OTHER);
  }

  /**
   * Whether it passes without anybody doing anything.
   *
   * @return false if somebody has to mend it
   */
  public boolean passes() {
    return lasting == Lasting.PASSES;
  }

  /**
   * Whether other keys may do better.
   *
   * @return false if the whole server is concerned
   */
  public boolean ofOneKey() {
    return lasting == Lasting.OF_A_KEY;
  }

  /**
   * What has happened and what mends it.
   *
   * @return plain words; empty if it passes
   */
  public String advice() {
    return advice;
  }

  /** For how long, and for whom. */
  private enum Lasting {
    PASSES,
    LASTS,
    OF_A_KEY
  }
}
