package io.weir.internal.control.rest;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.decide.BatchItemResult;
import io.weir.internal.control.decide.CheckAnswer;
import io.weir.internal.control.decide.ExplainAnswer;
import io.weir.internal.control.decide.LimitStatusAnswer;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.decide.RequestExplainer;
import io.weir.internal.control.decide.UserStatusReader;
import io.weir.internal.control.decide.request.CheckRequest;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
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
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides and explains requests that other programs serve.
 *
 * <p>Waits for decisions in the request's thread, as the adapters do. Few decisions have to wait,
 * and none longer than the store time-out.
 *
 * <p>Safe for concurrent use.
 */
@Path("/v1/ratelimit")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class DecisionResource {
  private static final int MAX_REQUESTS = 1_000;
  private static final int DENIED = 403;
  private static final int REFUSED = 429;
  private static final Logger LOG = System.getLogger(DecisionResource.class.getName());

  private final RequestDecider decider;
  private final RequestExplainer explainer;
  private final UserStatusReader statuses;

  public DecisionResource(
      RequestDecider decider, RequestExplainer explainer, UserStatusReader statuses) {
    this.decider = decider;
    this.explainer = explainer;
    this.statuses = statuses;
  }

  @POST
  @Path("/check")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.CHECK)
  @Operation(
      value =
          "Decide a request, or a list of at most 1000, and charge those that are admitted. In a"
              + " list, a problem document takes the place of each request that can't be decided;"
              + " with atomic=true the response is 400 then, and nothing is charged",
      body = CheckRequest.class,
      bodies = Many.ONE_OR_LIST,
      answer = CheckAnswer.class,
      answers = Many.ONE_OR_LIST,
      listsProblems = true,
      errors = 429,
      needsDatabase = false)
  public Response check(
      JsonBody body,
      @QueryParam("atomic") @Described("true: admit all requests of a list, or charge none")
          @Nullable String atomic,
      @QueryParam("status")
          @Described("true: status 429 if a request is refused, 403 if its caller is denied")
          @Nullable String status) {
    boolean together = ParameterReader.flag("atomic", atomic);
    boolean hasRefusalStatus = ParameterReader.flag("status", status);
    if (!body.isList()) {
      CheckAnswer answer =
          DecisionAwaiter.await(decider.check(body.asIgnoringUnknown(CheckRequest.class)));
      return hasRefusalStatus ? answeredByStatus(answer, List.of(answer)) : JsonEntity.ok(answer);
    }
    if (hasRefusalStatus && !together) {
      throw new InvalidFieldException("status", "must not be used for a list unless atomic=true");
    }
    List<Supplier<CheckRequest>> requests = body.asList(CheckRequest.class, MAX_REQUESTS);
    if (!together) {
      return JsonEntity.ok(
          DecisionAwaiter.await(decider.checkEach(requests)).stream()
              .map(DecisionResource::document)
              .toList());
    }
    List<CheckAnswer> answers =
        DecisionAwaiter.await(decider.checkTogether(requests.stream().map(Supplier::get).toList()));
    return hasRefusalStatus ? answeredByStatus(answers, answers) : JsonEntity.ok(answers);
  }

  private static Object document(BatchItemResult listed) {
    return listed.answer().isPresent()
        ? listed.answer().get()
        : listed.problem().map(DecisionResource::problem).orElseThrow();
  }

  private static Object problem(Throwable problem) {
    Problem document = Problem.of(problem);
    if (document.isUnexpected()) {
      LOG.log(Level.ERROR, "A request of a list couldn't be decided", problem);
    }
    return document.document();
  }

  /**
   * Answers 403 if a caller is denied, and 429 if a request is refused, with the longest wait
   * unless no retry helps.
   */
  private static Response answeredByStatus(Object document, List<CheckAnswer> answers) {
    if (answers.stream().allMatch(CheckAnswer::allowed)) {
      return JsonEntity.ok(document);
    }
    if (answers.stream().anyMatch(CheckAnswer::denied)) {
      return JsonEntity.json(DENIED, document).build();
    }
    Response.ResponseBuilder refused = JsonEntity.json(REFUSED, document);
    if (answers.stream().noneMatch(CheckAnswer::neverAdmitted)) {
      answers.stream()
          .map(CheckAnswer::retryAfter)
          .filter(Objects::nonNull)
          .max(Comparator.naturalOrder())
          .ifPresent(longest -> refused.header(HttpHeaders.RETRY_AFTER, longest));
    }
    return refused.build();
  }

  @POST
  @Path("/explain")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo({ControlRole.CHECK, ControlRole.VIEW})
  @Operation(
      value = "Explain which rules apply to a request, which don't, and why; takes no permits",
      body = CheckRequest.class,
      answer = ExplainAnswer.class,
      needsDatabase = false)
  public Response explain(JsonBody body) {
    return JsonEntity.ok(explainer.explain(body.asIgnoringUnknown(CheckRequest.class)));
  }

  @GET
  @Path("/status/{userId}")
  @OpenTo(
      value = {ControlRole.CHECK, ControlRole.VIEW},
      self = "userId")
  @Operation(
      value = "Return how many permits a user has left; takes none",
      answer = LimitStatusAnswer.class)
  public Response status(@PathParam("userId") String userId) {
    return JsonEntity.ok(statuses.of(userId));
  }

  /** For names that can't be in a path. */
  @GET
  @Path("/status")
  @OpenTo(
      value = {ControlRole.CHECK, ControlRole.VIEW},
      self = "userId")
  @Operation(
      value = "Return how many permits a user has left; takes none",
      answer = LimitStatusAnswer.class)
  public Response statusByQuery(
      @QueryParam("userId") @Described("The user; the name may have any characters")
          @Nullable String userId) {
    if (userId == null) {
      throw new InvalidFieldException("userId", "must be given");
    }
    return status(userId);
  }
}
