package io.weir.internal.redis.connection;

import java.util.Arrays;
import java.util.Locale;

/**
 * The kinds of failure of a call or a claim.
 *
 * <p>An error of Redis begins with a word for its kind. Some pass by themselves once the servers
 * have agreed on the master; the others last until an operator does what their {@link #advice()}
 * says.
 *
 * <p>Immutable.
 */
public enum FailureKind {
  /** No answer: it can't be reached, hung up, or took too long. The call may have been executed. */
  AWAY(Lasting.PASSES, ""),
  /** The server forgot the script; the call is repeated. */
  NOSCRIPT(Lasting.PASSES, ""),
  /** Another master of the cluster has the slot; the call is repeated there. */
  MOVED(Lasting.PASSES, ""),
  /** Another master of the cluster is getting the slot; the call is repeated there. */
  ASK(Lasting.PASSES, ""),
  /** The slot is being moved. */
  TRYAGAIN(Lasting.PASSES, ""),
  /** It is a replica now. */
  READONLY(Lasting.PASSES, ""),
  /** It has just started. */
  LOADING(Lasting.PASSES, ""),
  /** The cluster is incomplete. */
  CLUSTERDOWN(Lasting.PASSES, ""),
  /** A replica lost its master. */
  MASTERDOWN(Lasting.PASSES, ""),
  CROSSSLOT(
      Lasting.LASTS,
      "it is one node of a cluster; begin weir.store with redis-cluster:// and name some nodes"),
  OOM(
      Lasting.LASTS,
      "its memory is full and maxmemory-policy evicts nothing; raise maxmemory or remove keys"),
  MISCONF(
      Lasting.LASTS,
      "it can't save to disk and therefore rejects writes; free disk space, or set"
          + " stop-writes-on-bgsave-error no"),
  NOREPLICAS(
      Lasting.LASTS,
      "it has too few replicas to accept writes; restore them or lower min-replicas-to-write"),
  NOAUTH(
      Lasting.LASTS,
      "it requires a user or password; set them in weir.store, or weir.store.redis.user and"
          + " weir.store.redis.password"),
  WRONGPASS(
      Lasting.LASTS,
      "the password is wrong or the user is disabled; correct them in weir.store, or"
          + " weir.store.redis.user and weir.store.redis.password"),
  NOPERM(
      Lasting.LASTS,
      "the user lacks permissions; allow it all keys that begin with weir.prefix, and the"
          + " commands eval, evalsha, time, get, mget, set, setnx, msetnx, setrange, del,"
          + " pexpireat, hgetall, hmget, hset, hdel, pexpire, ping and, depending on how the"
          + " servers are set up, select, role,"
          + " asking and cluster|slots"),
  WRONGTYPE(
      Lasting.OF_A_KEY,
      "a key of Weir holds another type of value; give Weir a weir.prefix of its own and"
          + " remove that key"),
  BUSY(
      Lasting.LASTS,
      "a script has been running for too long; stop it with SCRIPT KILL, and fix its caller"),
  OTHER(Lasting.OF_A_KEY, "it rejects Weir's commands; see its error");

  private final Lasting lasting;
  private final String advice;

  FailureKind(Lasting lasting, String advice) {
    this.lasting = lasting;
    this.advice = advice;
  }

  /** Determines the kind of an error by its text, with or without a leading minus. */
  public static FailureKind of(String error) {
    // Redis 7 has no word for this when it stops a script.
    if (error.contains("user executing the script")) {
      return NOPERM;
    }
    // Before Redis 7 such an error of a script begins with its line.
    String text = error.replaceFirst("^(@?user_script: ?\\d+: ?)?-?", "");
    String word = text.split("[\\s:]", 2)[0].toUpperCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(each -> each != AWAY && each != OTHER && each.name().equals(word))
        .findFirst()
        .orElse(OTHER);
  }

  /** Returns whether it passes by itself; otherwise an operator has to fix it. */
  public boolean passes() {
    return lasting == Lasting.PASSES;
  }

  /** Returns whether it concerns one key only, not the whole server. */
  public boolean ofOneKey() {
    return lasting == Lasting.OF_A_KEY;
  }

  /** Says to operators what has happened and how to fix it; empty if it passes. */
  public String advice() {
    return advice;
  }

  /** The duration and the scope of a failure. */
  private enum Lasting {
    PASSES,
    LASTS,
    OF_A_KEY
  }
}
