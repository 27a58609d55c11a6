package io.weir.servlet;

import io.weir.Decision;
import io.weir.adapter.Adapter;
import io.weir.adapter.HeaderField;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.adapter.RequestHolder;
import io.weir.spi.RequestInfo;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A request of a framework that runs on servlets, from where its adapter begins it until its
 * response has ended. The adapter finds the handlers and has them decided; this shows the decision,
 * writes header fields and refusals, and reports the end once.
 *
 * <p>Safe for concurrent use, as far as its dispatches come one after the other.
 */
public abstract class LimitedServletRequest implements RequestHolder {
  private static final AtomicIntegerFieldUpdater<LimitedServletRequest> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(LimitedServletRequest.class, "ended");

  private final LimitedRequest limited;

  /** The object that another application or adapter had left on the request. */
  private final @Nullable Object left;

  /** Set through {@link #ENDED}. */
  private volatile int ended;

  /** Null while the response has none. */
  private volatile @Nullable List<HeaderField> written;

  private volatile @Nullable Decision attribute;

  /**
   * Begins a request, which counts as in flight until its end, or goes on with one that another
   * adapter of the application has begun.
   *
   * @param adapter the adapter
   * @param request the container's request, or a wrapper of it
   * @param info the request as the adapter sees it
   */
  protected LimitedServletRequest(Adapter adapter, HttpServletRequest request, RequestInfo info) {
    this.left = request.getAttribute(LimitedRequest.ATTRIBUTE);
    this.limited = adapter.begin(info, left);
    limited.countInFlight();
  }

  @Override
  public final LimitedRequest limitedRequest() {
    return limited;
  }

  /**
   * Leaves this request to later adapters.
   *
   * @param request gets this as an attribute
   */
  protected final void mark(HttpServletRequest request) {
    request.setAttribute(LimitedRequest.ATTRIBUTE, this);
  }

  /**
   * Restores what another application, which forwarded to this one, or another adapter had left.
   *
   * @param request was marked before
   */
  protected void unmark(HttpServletRequest request) {
    if (left != null) {
      request.setAttribute(LimitedRequest.ATTRIBUTE, left);
    }
  }

  /**
   * Returns whether the response ignores status and header fields: in includes and their forwards.
   *
   * @param request the request of the current dispatch
   * @return false for a forward by which a container hides the include around it
   */
  public static boolean isPart(HttpServletRequest request) {
    DispatcherType type = request.getDispatcherType();
    return type == DispatcherType.INCLUDE
        || type == DispatcherType.FORWARD
            && request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) != null;
  }

  /**
   * Decides the policies of an include that are still undecided. The exception has no stack trace:
   * containers log the exceptions of includes for each request, and no code of the application is
   * on the stack between. The refusals of woven methods keep theirs.
   *
   * @param request gets the decision as an attribute
   * @return the exception to throw if the include is refused
   */
  public final Optional<RuntimeException> decidePart(HttpServletRequest request) {
    Optional<RuntimeException> refusal = limited.admitPart();
    refusal.ifPresent(each -> each.setStackTrace(new StackTraceElement[0]));
    showDecision(request);
    return refusal;
  }

  /**
   * Sets the request attribute for the application if there is a new decision.
   *
   * @param request gets the attribute
   */
  protected final void showDecision(HttpServletRequest request) {
    if (limited.isDecided()) {
      Decision decision = limited.decision();
      if (decision != attribute) {
        attribute = decision;
        request.setAttribute(Decision.class.getName(), decision);
      }
    }
  }

  /**
   * Writes the header fields if there is a new decision and the response isn't committed.
   *
   * @param response gets the fields
   */
  public final void writeHeaders(HttpServletResponse response) {
    List<HeaderField> headers = limited.headers();
    if (!hasWritten(headers)) {
      ServletResponseWriter.put(headers, response);
      written = headers;
    }
  }

  private boolean hasWritten(List<HeaderField> headers) {
    List<HeaderField> before = written;
    return headers == before || before == null && headers.isEmpty();
  }

  /**
   * Writes the header fields again if the application has removed them or there is a new decision.
   *
   * @param response gets the fields
   */
  public final void restoreHeaders(HttpServletResponse response) {
    List<HeaderField> headers = limited.headers();
    boolean same = hasWritten(headers);
    ServletResponseWriter.restore(headers, same, response);
    if (!same) {
      written = headers;
    }
  }

  /** Notes that the response has no header fields of this request, such as after a reset. */
  protected final void headersAreGone() {
    written = null;
  }

  /**
   * Passes the request on. Makes the response to the refusal of a limited call or an include, which
   * the application may have wrapped in exceptions of its own.
   *
   * @param request as it is passed on
   * @param response as it is passed on
   * @param chain the filters and the servlet behind the adapter
   * @throws IOException if the chain throws it, or the refusal can't be sent
   * @throws ServletException if the chain throws it for another reason
   */
  public final void proceed(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    try {
      chain.doFilter(request, response);
    } catch (IOException | ServletException | RuntimeException thrown) {
      Optional<Refusal> refusal = limited.refusalIn(thrown);
      if (refusal.isEmpty() || response.isCommitted()) {
        throw thrown;
      }
      refuse(refusal.get(), request, response);
    }
  }

  /**
   * Sends a refusal in place of the response, and ends that, also if it is asynchronous.
   *
   * @param refusal the response
   * @param request a HEAD request gets no body
   * @param response ignored if it is committed
   * @throws IOException if the refusal can't be sent
   */
  public void refuse(Refusal refusal, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    limited.answered(refusal);
    written = refusal.headers();
    ServletResponseWriter.send(refusal, request, response);
    if (request.isAsyncStarted()) {
      request.getAsyncContext().complete();
    }
  }

  /**
   * Ends the request where it has begun: now, or once its asynchronous response has ended.
   *
   * @param request gets back what another adapter had left
   * @param response its fields are written again if they were removed
   */
  public final void end(HttpServletRequest request, HttpServletResponse response) {
    unmark(request);
    if (request.isAsyncStarted()) {
      AsyncCompletion.await(request, () -> completed(response.getStatus()), () -> failed(response));
    } else {
      if (!isPart(request)) {
        restoreHeaders(response);
      }
      completed(response.getStatus());
    }
  }

  /**
   * Reports that the response has ended. Only the first end is reported.
   *
   * @param status the HTTP status
   */
  public final void completed(int status) {
    if (ends()) {
      limited.completed(status);
      showAsNow();
    }
  }

  /**
   * Reports an exception in place of a response, or of the rest of one. Only the first end is
   * reported.
   *
   * @param response perhaps committed
   */
  public final void failed(HttpServletResponse response) {
    if (ends()) {
      limited.aborted(response.isCommitted() ? response.getStatus() : 0);
      showAsNow();
    }
  }

  private boolean ends() {
    if (ended != 0 || !ENDED.compareAndSet(this, 0, 1)) {
      return false;
    }
    showAsDecided();
    return true;
  }

  /** Shows the request to observers of its end as it was when it was decided. */
  protected abstract void showAsDecided();

  /** Shows the request as it is now, after its end was reported. Does nothing by default. */
  protected void showAsNow() {}
}
