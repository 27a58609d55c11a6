package io.weir.internal.server.http;

import io.weir.Ticker;
import io.weir.internal.value.DurationText;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Receives a body that arrives in pieces. When it is complete the request is dispatched again; if
 * it takes too long, the response is 408. Buffers no more than has arrived.
 *
 * <p>Invariant: the thread that changes the state to {@link State#ENDED} releases the slot, or
 * leaves the queue, and is the only one that dispatches or responds.
 *
 * <p>Safe for concurrent use.
 */
final class IncomingBody implements ReadListener, AsyncListener {
  private static final String ATTRIBUTE = IncomingBody.class.getName();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int PIECE = 4 * 1024;

  private enum State {
    /** Waits in the queue of its caller. */
    WAITING,
    /** Has a slot, and the request was dispatched to start reading. */
    CALLED,
    READING,
    ENDED
  }

  private final CallerBulkhead queues;
  private final String caller;
  private final int maxBytes;
  private final Ticker ticker;
  private final long begunAt;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private final Runnable call = this::call;

  /** Used by one thread at a time: the container's thread that handles the request. */
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();

  private volatile byte @Nullable [] complete;
  private volatile @Nullable AsyncContext later;
  private @Nullable ServletInputStream in;

  IncomingBody(CallerBulkhead queues, String caller, int maxBytes, Ticker ticker) {
    this.queues = queues;
    this.caller = caller;
    this.maxBytes = maxBytes;
    this.ticker = ticker;
    this.begunAt = ticker.nanoTime();
  }

  /** Returns the body that a request was suspended for; empty if it wasn't. */
  static Optional<IncomingBody> of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof IncomingBody body
        ? Optional.of(body)
        : Optional.empty();
  }

  boolean isComplete() {
    return complete != null;
  }

  byte[] bytes() {
    byte[] all = complete;
    return all == null ? new byte[0] : all;
  }

  /** Suspends the request, and reads as soon as it has a slot. */
  void begin(HttpServletRequest request, HttpServletResponse response) throws IOException {
    request.setAttribute(ATTRIBUTE, this);
    suspend(request, response);
    if (!queues.tryAcquire(caller, call)) {
      return;
    }
    if (state.compareAndSet(State.WAITING, State.READING)) {
      read(request);
    } else {
      queues.release(caller);
    }
  }

  /** Reads, after {@link #call} has dispatched the request. */
  void receive(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (remainingMillis() <= 0) {
      if (end()) {
        write(response, IncomingBody::late);
      }
    } else if (state.get() == State.CALLED) {
      suspend(request, response);
      if (state.compareAndSet(State.CALLED, State.READING)) {
        read(request);
      }
    }
  }

  private void suspend(HttpServletRequest request, HttpServletResponse response) {
    AsyncContext suspended = request.startAsync(request, response);
    suspended.setTimeout(Math.max(1, remainingMillis()));
    suspended.addListener(this);
    later = suspended;
  }

  private long remainingMillis() {
    return TIMEOUT.toMillis() - (ticker.nanoTime() - begunAt) / 1_000_000;
  }

  private void read(HttpServletRequest request) throws IOException {
    ServletInputStream body = request.getInputStream();
    in = body;
    body.setReadListener(this);
  }

  /** Takes the slot of another body, which has ended. */
  private void call() {
    AsyncContext suspended = later;
    if (suspended == null || !state.compareAndSet(State.WAITING, State.CALLED)) {
      queues.release(caller);
    } else if (!isDispatched(suspended) && state.compareAndSet(State.CALLED, State.WAITING)) {
      queues.release(caller); // it timed out at this moment; onTimeout responds
    }
  }

  private static boolean isDispatched(AsyncContext suspended) {
    try {
      suspended.dispatch();
      return true;
    } catch (IllegalStateException ended) {
      return false;
    }
  }

  /** Ends it; returns false if it has ended before. */
  private boolean end() {
    State before = state.getAndSet(State.ENDED);
    if (before == State.WAITING) {
      queues.leave(caller, call);
    } else if (before != State.ENDED) {
      queues.release(caller);
    }
    return before != State.ENDED;
  }

  @Override
  public void onDataAvailable() throws IOException {
    // Jetty loses a time-out that expires while it is being scheduled.
    if (remainingMillis() <= 0) {
      endBy(IncomingBody::late);
      return;
    }
    ServletInputStream body = in;
    byte[] piece = new byte[PIECE];
    while (body != null && body.isReady() && !body.isFinished()) {
      int count = body.read(piece);
      if (count < 0) {
        return;
      }
      received.write(piece, 0, count);
      if (received.size() > maxBytes) {
        endBy(response -> ProblemResponses.tooLarge(response, maxBytes));
        return;
      }
    }
  }

  @Override
  public void onAllDataRead() {
    AsyncContext suspended = later;
    if (end() && suspended != null) {
      complete = received.toByteArray();
      if (!isDispatched(suspended)) {
        answer(suspended, IncomingBody::late); // it timed out at this moment
      }
    }
  }

  @Override
  public void onError(Throwable broken) {
    // The container may report a time-out here first.
    endBy(remainingMillis() > 0 ? IncomingBody::broken : IncomingBody::late);
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    endBy(IncomingBody::late);
  }

  private static void broken(HttpServletResponse response) throws IOException {
    ProblemResponses.answer(
        response,
        HttpServletResponse.SC_BAD_REQUEST,
        "Bad Request",
        "The body couldn't be read completely.");
  }

  private static void late(HttpServletResponse response) throws IOException {
    ProblemResponses.answer(
        response,
        HttpServletResponse.SC_REQUEST_TIMEOUT,
        "Request Timeout",
        "The body must arrive within " + DurationText.inWords(TIMEOUT) + ".");
  }

  private interface Answer {
    void write(HttpServletResponse response) throws IOException;
  }

  private void endBy(Answer answer) {
    AsyncContext suspended = later;
    if (end() && suspended != null) {
      answer(suspended, answer);
    }
  }

  private static void answer(AsyncContext suspended, Answer answer) {
    write((HttpServletResponse) suspended.getResponse(), answer);
    try {
      suspended.complete();
    } catch (IllegalStateException dispatched) {
      // It was dispatched at this moment; that dispatch completes it.
    }
  }

  private static void write(HttpServletResponse response, Answer answer) {
    response.setHeader("Connection", "close");
    try {
      answer.write(response);
    } catch (IOException gone) {
      // The client has gone.
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    var unused = end();
  }

  @Override
  public void onError(AsyncEvent event) {
    var unused = end();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
