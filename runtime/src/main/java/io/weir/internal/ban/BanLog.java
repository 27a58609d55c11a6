package io.weir.internal.ban;

import io.weir.internal.extension.NonThrowingLog;
import io.weir.internal.extension.RequestCountLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Logs bans, and why some aren't made: the first at once, then at most one line a minute. Doesn't
 * log callers. Safe for concurrent use.
 */
final class BanLog {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final String CALLER = "caller";

  private final RequestCountLog banned;
  private final RequestCountLog wouldBan;
  private final RequestCountLog full;
  private final RequestCountLog shared;
  private final AtomicBoolean isLocal = new AtomicBoolean();

  /** Begins at a time in nanoseconds of the application's clock. */
  BanLog(long now) {
    banned = new RequestCountLog(Level.INFO, "Banned ", CALLER, " because of their strikes.", now);
    wouldBan =
        new RequestCountLog(
            Level.INFO, "Policies in shadow mode would have banned ", CALLER, ".", now);
    full =
        new RequestCountLog(
            Level.WARNING,
            "weir.bans.max: reached by a policy, which therefore hasn't banned ",
            CALLER,
            " in spite of their strikes.",
            now);
    shared =
        new RequestCountLog(
            Level.WARNING,
            "weir.proxy.trusted: ",
            "strike",
            " had no effect, since callers behind a proxy may share the address. Set it to the"
                + " addresses of your proxies, or to nothing if there are none.",
            now);
  }

  void banned(boolean isShadow, long now) {
    (isShadow ? wouldBan : banned).add(now);
  }

  void full(long now) {
    full.add(now);
  }

  void shared(long now) {
    shared.add(now);
  }

  /** Logs once that bans hold on this node alone. */
  void local(String policy) {
    if (isLocal.compareAndSet(false, true)) {
      NonThrowingLog.log(
          LOG,
          Level.INFO,
          "Bans, such as those of policy "
              + policy
              + ", hold on the node that makes them. To have them on all nodes, keep rules in a"
              + " database whose tables Weir may write (logged once)");
    }
  }
}
