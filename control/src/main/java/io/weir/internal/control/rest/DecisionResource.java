package io.weir.internal.control.rest;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.decide.CheckAnswer;
import io.weir.internal.control.decide.request.CheckRequest;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.decide.ExplainAnswer;
import io.weir.internal.control.decide.RequestExplainer;
import io.weir.internal.control.decide.ListedAnswer;
import io.weir.internal.control.decide.StatusAnswer;
import io.weir.internal.control.decide.UserStatusReader;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.Parameters;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides and explains requests that others serve.
 *
 * <p>Waits for decisions in the thread of the request, as the adapters do: hardly any has to, and
 * none longer than the store time-out.
 *
 * <p>Safe for concurrent use.
 */
@Path("/v1/ratelimit")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class DecisionResource {
  private static final int MOST = 1_000;
  private static final int REFUSED = 429;
  private static final Logger LOG = System.getLogger(DecisionResource.class.getName());

  private final RequestDecider decisions;
  private final RequestExplainer explanations;
  private final UserStatusReader statuses;

  /**
   * The resource of an application.
   *
   * @param decisions decide
   * @param explanations explain
   * @param statuses tell what users have left
   */
  public DecisionResource(RequestDecider decisions, RequestExplainer explanations, UserStatusReader statuses) {
    this.decisions = decisions;
    this.explanations = explanations;
    this.statuses = statuses;
  }

  /**
   * Decides a request, or several.
   *
   * @param body a request, or a list of them
   * @param atomic whether of a list all are admitted or none
   * @param status whether a refusal is told by 429
   * @return an answer, or a list of them, where problem documents may be among them
   */
  @POST
  @Path("/check")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.CHECK)
  @Operation(
      value =
          "Decide a request, or a list of at most 1000, and charge what is admitted. An item that"
              + " can't be decided has a problem document in its place; with atomic=true all get"
              + " 400, and nothing is charged",
      body = CheckRequest.class,
      bodies = Many.ONE_OR_LIST,
      answer = CheckAnswer.class,
      answers = Many.ONE_OR_LIST,
      listsProblems = true,
      errors = {413, 415, 429})
  public Response check(
      JsonBody body,
      @QueryParam("atomic") @Described("true: of a list all are admitted, or none is charged")
          @Nullable String atomic,
      @QueryParam("status") @Described("true: 429 where a request is refused")
          @Nullable String status) {
    boolean together = Parameters.flag("atomic", atomic);
    boolean told = Parameters.flag("status", status);
    if (!body.isList()) {
      CheckAnswer answer = BlockingDecision.of(decisions.check(body.as(CheckRequest.class)));
      return answered(answer, told && !answer.allowed() ? answer.retryAfter() : null);
    }
    if (told && !together) {
      throw new InvalidFieldException("status", "must go with a list only if atomic=true");
    }
    List<Supplier<CheckRequest>> requests = body.asList(CheckRequest.class, MOST);
    if (!together) {
      return JsonEntity.ok(
          BlockingDecision.of(decisions.checkEach(requests)).stream()
              .map(DecisionResource::document)
              .toList());
    }
    List<CheckAnswer> answers =
        BlockingDecision.of(decisions.checkTogether(requests.stream().map(Supplier::get).toList()));
    return answered(answers, told ? retryAfter(answers) : null);
  }

  private static Object document(ListedAnswer listed) {
    return listed.answer().isPresent()
        ? listed.answer().get()
        : listed.problem().map(DecisionResource::problem).orElseThrow();
  }

  private static Object problem(Throwable problem) {
    Problem told = Problem.of(problem);
    if (told.isUnexpected()) {
      LOG.log(Level.ERROR, "A request of a list couldn't be decided", problem);
    }
    return told.document();
  }

  /** The longest wait of those that were refused; null if none was. */
  private static @Nullable Long retryAfter(List<CheckAnswer> answers) {
    Long longest = null;
    for (CheckAnswer each : answers) {
      Long wait = each.retryAfter();
      longest = wait != null && (longest == null || wait > longest) ? wait : longest;
    }
    return longest;
  }

  private static Response answered(Object answer, @Nullable Long retryAfter) {
    return retryAfter == null
        ? JsonEntity.ok(answer)
        : JsonEntity.json(REFUSED, answer).header(HttpHeaders.RETRY_AFTER, retryAfter).build();
  }

  /**
   * Explains a request.
   *
   * @param body a request
   * @return what holds and why
   */
  @POST
  @Path("/explain")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.CHECK)
  @Operation(
      value = "Tell which rules hold for a request, which don't and why; counts nothing",
      body = CheckRequest.class,
      answer = ExplainAnswer.class,
      errors = {413, 415})
  public Response explain(JsonBody body) {
    return JsonEntity.ok(explanations.explain(body.as(CheckRequest.class)));
  }

  /**
   * Tells what a user has left.
   *
   * @param userId the user
   * @return its tier and rules
   */
  @GET
  @Path("/status/{userId}")
  @OpenTo(value = ControlRole.CHECK, self = "userId")
  @Operation(
      value = "Tell what a user has left; takes nothing",
      answer = StatusAnswer.class,
      errors = {503})
  public Response status(@PathParam("userId") String userId) {
    return JsonEntity.ok(statuses.of(userId));
  }

  /**
   * Tells what a user has left whose name can't be in a path.
   *
   * @param userId the user
   * @return its tier and rules
   */
  @GET
  @Path("/status")
  @OpenTo(value = ControlRole.CHECK, self = "userId")
  @Operation(
      value = "Tell what a user has left; takes nothing",
      answer = StatusAnswer.class,
      errors = {503})
  public Response statusByQuery(
      @QueryParam("userId") @Described("The user, whatever characters the name has")
          @Nullable String userId) {
    if (userId == null) {
      throw new InvalidFieldException("userId", "must be given");
    }
    return status(userId);
  }
}
