package io.weir.internal.extension;

import io.weir.InvalidRequestException;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks one of the application's {@link RequestCondition}s; if it fails, its policies hold. Safe for
 * concurrent use.
 */
public final class SafeCondition {
  private static final System.Logger LOG = System.getLogger(SafeCondition.class.getName());

  private final String name;
  private final RequestCondition condition;
  private final boolean needsUser;
  private final boolean needsBody;
  private final SafeCalls calls;
  private final AtomicBoolean reported = new AtomicBoolean();

  public SafeCondition(String name, RequestCondition condition) {
    this.name = name;
    this.condition = condition;
    this.needsUser = condition.needsUser();
    this.needsBody = condition.needsBody();
    this.calls =
        new SafeCalls(
            LOG, "the request condition " + name + " failed: its policies apply to such requests");
  }

  /**
   * Returns whether it can be asked only after authentication; true unless the condition says
   * otherwise.
   */
  public boolean needsUser() {
    return needsUser;
  }

  /** Returns whether it reads the body of the request. */
  public boolean needsBody() {
    return needsBody;
  }

  /**
   * Asks the condition before authentication.
   *
   * @param request the request, whose user isn't known yet
   * @return as {@link #test}; empty if it has read the user, so that it must be asked again
   */
  public Optional<Boolean> testWithoutUser(RequestInfo request) {
    UserReadWatch watched = new UserReadWatch(request);
    boolean holds = true;
    try {
      holds = condition.test(watched);
    } catch (Throwable broken) {
      throwIfUnreadable(broken);
      if (!watched.isUserRead() || broken instanceof VirtualMachineError) {
        calls.failed(broken);
      }
    }
    if (watched.isUserRead()) {
      reportUserRead();
      return Optional.empty();
    }
    return Optional.of(holds);
  }

  /** A body that can't be read is the client's mistake, not the condition's. */
  private void throwIfUnreadable(Throwable broken) {
    if (needsBody && broken instanceof InvalidRequestException unreadable) {
      throw unreadable;
    }
  }

  private void reportUserRead() {
    if (reported.compareAndSet(false, true)) {
      NonThrowingLog.log(
          LOG,
          System.Logger.Level.WARNING,
          "the request condition "
              + name
              + " reads the user, but its needsUser() is false: such requests are decided after"
              + " the sign-in; let it return true, or don't read the user (logged once)");
    }
  }

  /**
   * Returns whether its policies hold for the request; true as well if it fails.
   *
   * @throws InvalidRequestException if the body that it reads can't be read
   */
  public boolean test(RequestInfo request) {
    try {
      return condition.test(request);
    } catch (Throwable broken) {
      throwIfUnreadable(broken);
      calls.failed(broken);
      return true;
    }
  }
}
