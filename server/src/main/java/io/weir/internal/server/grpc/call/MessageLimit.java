package io.weir.internal.server.grpc.call;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.netty.util.internal.PlatformDependent;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Limits the bytes that calls under way occupy, of each caller and of all callers together: their
 * messages, from the first byte until the call ends. Incomplete messages are in Netty's direct
 * memory, which the Redis protocol uses too, decoded ones on the heap. A call beyond fails with
 * RESOURCE_EXHAUSTED. Nothing waits, since a message that isn't read keeps the flow-control window
 * of its connection, and so those that are read from arriving.
 *
 * <p>Safe for concurrent use.
 */
public final class MessageLimit extends ServerStreamTracer.Factory {
  /** Sixteen of the largest messages. */
  private static final long MAX_OF_CALLER = 16 * 1024 * 1024;

  /** Enough for a largest message and its response, however little memory there is. */
  private static final long MIN_OF_CALLER = 4 * 1024 * 1024;

  /** The bytes of a call besides its messages. */
  private static final long CALL_BYTES = 1_024;

  private static final int PART_OF_MEMORY = 4;

  private static final Context.Key<MessageLimit.Call> CALL = Context.key("weir-call");

  private final long maxOfCaller;
  private final long maxOfAll;
  private final AtomicLong all = new AtomicLong();
  private final ConcurrentHashMap<Object, Caller> callers = new ConcurrentHashMap<>();

  public MessageLimit(long maxOfCaller, long maxOfAll) {
    this.maxOfCaller = maxOfCaller;
    this.maxOfAll = maxOfAll;
  }

  /**
   * Creates a limit for the memory of this process: a quarter of it for all callers, half of that
   * for one, at most 16 MiB.
   */
  public static MessageLimit ofProcess() {
    long memory = Math.min(Runtime.getRuntime().maxMemory(), PlatformDependent.maxDirectMemory());
    long ofAll = Math.max(2 * MIN_OF_CALLER, memory / PART_OF_MEMORY);
    return new MessageLimit(Math.min(MAX_OF_CALLER, ofAll / 2), ofAll);
  }

  /** The bytes of a caller, which is forgotten with its last call. */
  private static final class Caller {
    private final AtomicLong bytes = new AtomicLong();

    /** Changed by {@link #callers} only. */
    private int calls;
  }

  /**
   * Counts the current call as a caller's. Must be called before its first message is requested.
   *
   * @param caller equal for all calls of this caller
   * @return the status to close the call with; empty if it may go on
   */
  static Optional<Status> begin(Object caller) {
    Call call = CALL.get();
    return call == null || call.begin(caller) ? Optional.empty() : Optional.of(call.exhausted());
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new Call();
  }

  /** Counts the bytes of one call. Safe for concurrent use. */
  private final class Call extends ServerStreamTracer {
    /** Guarded by this; null until the call is authenticated, and after it has ended. */
    private @Nullable Caller caller;

    /** Guarded by this. */
    private @Nullable Object name;

    /** Guarded by this. */
    private long taken;

    /** Guarded by this. */
    private boolean hasEnded;

    @Override
    public Context filterContext(Context context) {
      return context.withValue(CALL, this);
    }

    private synchronized boolean begin(Object by) {
      if (hasEnded) {
        return true; // the client has cancelled it
      }
      name = by;
      caller =
          callers.compute(
              by,
              (any, known) -> {
                Caller counted = known == null ? new Caller() : known;
                counted.calls++;
                return counted;
              });
      return take(CALL_BYTES);
    }

    /** Counts bytes; returns false if there are too many now. */
    private synchronized boolean take(long bytes) {
      Caller by = caller;
      if (by == null) {
        return true;
      }
      taken += bytes;
      long ofCaller = by.bytes.addAndGet(bytes);
      long ofAll = all.addAndGet(bytes);
      return ofCaller <= maxOfCaller && ofAll <= maxOfAll;
    }

    /** Ends the call as gRPC itself does for a message that is too large. */
    @Override
    public void inboundWireSize(long bytes) {
      if (!take(bytes)) {
        throw exhausted().asRuntimeException();
      }
    }

    @Override
    public void outboundWireSize(long bytes) {
      boolean unused = take(bytes); // an answer that is ready takes more if it isn't sent
    }

    @Override
    public synchronized void streamClosed(Status status) {
      hasEnded = true;
      Caller by = caller;
      Object of = name;
      if (by != null && of != null) {
        caller = null;
        by.bytes.addAndGet(-taken);
        all.addAndGet(-taken);
        callers.computeIfPresent(of, (any, known) -> --known.calls == 0 ? null : known);
      }
    }

    private Status exhausted() {
      return Status.RESOURCE_EXHAUSTED.withDescription(
          "the messages of concurrent calls may have at most "
              + maxOfCaller
              + " bytes per caller, and "
              + maxOfAll
              + " in all; retry when earlier calls have finished");
    }
  }
}
