package io.weir.adapter;

import io.weir.Decision;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One request, from the first adapter that sees it to the end of its response. An adapter
 *
 * <ol>
 *   <li>{@linkplain Adapter#begin begins} it, or finds the one that another adapter has left under
 *       {@link #ATTRIBUTE}, and {@linkplain #moveTo moves} it to the endpoint of the handler;
 *   <li>{@linkplain #decide decides} it in two phases, before and after the sign-in, and sends the
 *       {@link Refusal} if there is one;
 *   <li>writes the {@linkplain #headers() header fields} before the response is committed;
 *   <li>{@linkplain #bind binds} it to each thread in which the application works on it;
 *   <li>reports its end by {@link #completed}, {@link #failed()} or {@link #aborted}.
 * </ol>
 *
 * <p>Failures of the limiter itself, or of a part that the application plugged in, admit the
 * request; they are logged and never thrown.
 *
 * <p>Safe for concurrent use, as far as its phases come one after the other. Not for implementation
 * by others.
 */
public interface LimitedRequest extends RequestHolder {
  /**
   * Names the attribute of the framework's request in which one adapter leaves the request to the
   * next, as a {@link RequestHolder}. It is for the adapters of one Weir.
   */
  String ATTRIBUTE = "io.weir.adapter.LimitedRequest";

  /** Binds a request to a thread until it is closed. */
  interface Binding extends AutoCloseable {
    /**
     * Notes that the policies of a method were decided for this request, which is about to call it
     * in this thread: its first execution, by whatever layers, isn't charged again.
     *
     * @param method the handler
     */
    void charged(Method method);

    /**
     * Unbinds the request. In the same thread, the request that was bound before is bound again.
     * From another thread it has the same effect as soon as the thread looks for its request: a
     * pooled thread doesn't keep a caller whose request has gone on elsewhere. Idempotent.
     */
    @Override
    void close();
  }

  /**
   * Returns this.
   *
   * @return this
   */
  @Override
  default LimitedRequest limitedRequest() {
    return this;
  }

  /**
   * Moves the request to an endpoint, whose policies are decided next. A policy charges a request
   * once, wherever the request meets it.
   *
   * @param endpoint the endpoint of the handler, of the same application
   * @param seen the request as the adapter sees it there; read in each phase and at the end
   * @throws IllegalArgumentException if the endpoint belongs to another Weir
   */
  void moveTo(LimitedEndpoint endpoint, RequestInfo seen);

  /**
   * Corrects decisions that were made before the handler was known, where it turns out to be
   * another one, or filters have changed the request since. Refunds charges that its endpoint
   * counts under another key, and charges of policies that it doesn't have; so the next phases
   * decide only what is missing. Conditions and resolvers are asked again, so this may block as
   * they do. Charges of a {@code PolicySource} stay. Called after {@link #moveTo} the endpoint of
   * the handler.
   *
   * @param early has the policies whose charges are refunded unless the endpoint has them too;
   *     {@link Adapter#unlimited()} if all other charges stay
   */
  void correct(LimitedEndpoint early);

  /**
   * Makes all charges so far final, since the code that they admitted the request to has run or is
   * about to: the handler of an endpoint, or filters between the two phases. No later refusal
   * refunds them.
   */
  void keep();

  /**
   * Decides one phase, as far as it wasn't decided before. Waits for the policy source and for the
   * store, if they have to be asked, at most for the store time-out together.
   *
   * @param phase before or after authentication
   * @return the response to send instead of proceeding; empty if the request is admitted
   */
  Optional<Refusal> decide(DecisionPhase phase);

  /**
   * Decides one phase, as far as it wasn't decided before, without waiting for the policy source or
   * the store. Parts that the application plugs in, such as a tier resolver, may block, so they are
   * called by the executor.
   *
   * @param phase before or after authentication
   * @param blocking runs the parts of the application; {@code Runnable::run} for this thread
   * @return the response to send instead of proceeding; empty if the request is admitted. Never
   *     completed exceptionally, and completed by a thread of the executor, or by the store where
   *     nothing of the application is left to be called. It stays open if the executor drops tasks
   */
  CompletionStage<Optional<Refusal>> decideAsync(DecisionPhase phase, Executor blocking);

  /**
   * Decides all policies of the endpoint at once for a part of the response, such as an include. A
   * refusal doesn't refund earlier charges. Waits as {@link #decide} does.
   *
   * @return the exception to throw if the part is refused; empty if it is admitted
   */
  Optional<RuntimeException> admitPart();

  /**
   * Makes the response to a request whose handler threw the refusal of a limited call or of a part,
   * or that a policy can't count one, perhaps wrapped in exceptions of its own. The request's own
   * charges stay, and delay Retry-After if they are used up: then the store may be asked, for at
   * most the store time-out.
   *
   * @param thrown what was thrown; its causes are searched too
   * @return the response to send; empty if neither was thrown
   */
  Optional<Refusal> refusalIn(Throwable thrown);

  /**
   * Records the refusal that is sent, which may be that of a limited call, so that its header
   * fields are used until this request is decided again.
   *
   * @param refusal the response
   */
  void answered(Refusal refusal);

  /**
   * Returns the header fields that report the caller's limits. They change with each decision, also
   * of limited calls that the handler makes, so they are written once the handler has returned and
   * the response isn't committed yet.
   *
   * @return those of all decisions together, or of the refusal that was sent; none without a
   *     decision. The same list until they change
   */
  List<HeaderField> headers();

  /**
   * Returns the decision of all phases together, to be shown to the application: by convention
   * under the name of {@link Decision}'s class.
   *
   * @return the decisions of all endpoints so far
   * @throws IllegalStateException if no policy has decided; see {@link #isDecided()}
   */
  Decision decision();

  /**
   * Returns whether any policy has decided this request.
   *
   * @return false before the first phase, and where Weir is switched off
   */
  boolean isDecided();

  /**
   * Returns whether the outcome matters so far: a policy counts by it, or a policy source gets a
   * report. Limited calls may change it.
   *
   * @return false if {@link #completed} and {@link #failed()} would change no charge. A request
   *     that {@linkplain #countInFlight() counts as in flight} must be ended in any case
   */
  boolean needsOutcome();

  /**
   * Counts the request as in flight, for the load of the node, until it {@linkplain #completed
   * completes} or {@linkplain #failed() fails}. Only where the end of each request is reported.
   * Without effect if it counts already.
   */
  void countInFlight();

  /**
   * Ends the request by its response: refunds charges that don't count, also those made later. Only
   * the first call of this, {@link #failed()} or {@link #aborted} has an effect.
   *
   * @param status the HTTP status
   */
  void completed(int status);

  /** Ends the request as a failure: without a response, or with an exception instead of one. */
  void failed();

  /**
   * Ends a request whose response was begun but not completed, since the handler failed or the
   * caller has left. A caller that has read a status of failure, and leaves, has failed by that
   * status; otherwise the request has {@linkplain #failed() failed}.
   *
   * @param status the HTTP status of the response that was begun; 0 if none was
   */
  void aborted(int status);

  /**
   * Binds the request to this thread, in place of any before it, so that limited calls know the
   * caller.
   *
   * @param charged the handler's method, if it is about to run in this thread and its policies were
   *     decided; see {@link Binding#charged}. Null if it isn't known yet, or there is none
   * @return unbinds it; to be closed when the application has done its work in this thread
   */
  Binding bind(@Nullable Method charged);

  /**
   * Notes that the policies of a method were decided for this request, which is about to call it in
   * some thread: its first execution, by whatever layers and in whichever thread is bound then,
   * isn't charged again. For frameworks that bind the request to several threads before its handler
   * runs in one of them; where the binding is known, {@link Binding#charged} costs less.
   *
   * @param handler the method, in place of the one that was noted before; null if there is none
   */
  void charged(@Nullable Method handler);

  /**
   * Hides this request, and every other one, from this thread while it does something that belongs
   * to no request: limited calls have no caller there, as outside of requests.
   *
   * @return shows what was bound before; to be closed in this thread
   */
  Binding hide();

  /**
   * Returns whether this thread is bound to the request.
   *
   * @return true if it was bound last
   */
  boolean isBound();
}
