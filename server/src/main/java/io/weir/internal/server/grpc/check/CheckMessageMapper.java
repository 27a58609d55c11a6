package io.weir.internal.server.grpc.check;

import com.google.protobuf.BoolValue;
import com.google.protobuf.Int64Value;
import io.weir.grpc.v1.AccessEntry;
import io.weir.grpc.v1.Ban;
import io.weir.grpc.v1.CheckRequest;
import io.weir.grpc.v1.CheckResponse;
import io.weir.grpc.v1.ExplainResponse;
import io.weir.grpc.v1.PolicyDecision;
import io.weir.grpc.v1.PolicyExplanation;
import io.weir.grpc.v1.RegionCount;
import io.weir.grpc.v1.RegionCounts;
import io.weir.grpc.v1.RegionSum;
import io.weir.grpc.v1.RuleStatus;
import io.weir.grpc.v1.StatusResponse;
import io.weir.internal.control.decide.AccessMatch;
import io.weir.internal.control.decide.CheckAnswer;
import io.weir.internal.control.decide.ExplainAnswer;
import io.weir.internal.control.decide.LimitStatusAnswer;
import io.weir.internal.control.decide.RegionsAnswer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Converts messages to requests, and answers to messages. */
final class CheckMessageMapper {
  private CheckMessageMapper() {}

  /** Converts a request; an empty text counts as missing. */
  static io.weir.internal.control.decide.request.CheckRequest request(CheckRequest sent) {
    return new io.weir.internal.control.decide.request.CheckRequest(
        given(sent.getUserId()),
        given(sent.getApiKey()),
        given(sent.getIp()),
        given(sent.getEndpoint()),
        given(sent.getMethod()),
        given(sent.getTier()),
        sent.hasCost() ? sent.getCost().getValue() : null,
        sent.hasLoad() ? sent.getLoad().getValue() : null,
        sent.getAttributesMap());
  }

  private static @Nullable String given(String text) {
    return text.isEmpty() ? null : text;
  }

  static CheckResponse response(CheckAnswer answer) {
    CheckResponse.Builder response =
        CheckResponse.newBuilder()
            .setAllowed(answer.allowed())
            .setLimit(CheckAnswer.orUnlimited(answer.limit()))
            .setRemaining(CheckAnswer.orUnlimited(answer.remaining()))
            .setResetTime(answer.resetTime())
            .setNeverAdmitted(answer.neverAdmitted())
            .setDenied(answer.denied())
            .setBanned(answer.banned())
            .setDegraded(answer.degraded());
    Long retryAfter = answer.retryAfter();
    if (retryAfter != null) {
      response.setRetryAfter(Int64Value.of(retryAfter));
    }
    for (CheckAnswer.PolicyAnswer each : answer.policies()) {
      response.addPolicies(
          PolicyDecision.newBuilder()
              .setName(each.name())
              .setAllowed(each.allowed())
              .setLimit(each.limit())
              .setRemaining(each.remaining())
              .setResetTime(each.resetTime())
              .setWouldRefuse(each.wouldRefuse()));
    }
    return response.build();
  }

  static CheckResponse problem(String text) {
    return CheckResponse.newBuilder().setProblem(text).build();
  }

  static ExplainResponse response(ExplainAnswer answer) {
    ExplainResponse.Builder response =
        ExplainResponse.newBuilder()
            .setCaller(answer.caller())
            .setTier(answer.tier())
            .addAllUndecided(answer.undecided());
    CheckAnswer decision = answer.decision();
    if (decision != null) {
      response.setDecision(response(decision));
    }
    for (ExplainAnswer.PolicyExplanation each : answer.policies()) {
      response.addPolicies(explanation(each));
    }
    for (AccessMatch each : answer.access()) {
      response.addAccess(entry(each));
    }
    return response.build();
  }

  private static AccessEntry entry(AccessMatch match) {
    AccessEntry.Builder message =
        AccessEntry.newBuilder()
            .setAction(match.action())
            .setSubject(match.subject())
            .setCounted(match.counted())
            .setShadow(match.shadow())
            .setReason(match.reason());
    Instant end = match.validUntil();
    if (end != null) {
      message.setValidUntil(Int64Value.of(seconds(end)));
    }
    return message.build();
  }

  private static long seconds(Instant time) {
    return time.getEpochSecond() + (time.getNano() == 0 ? 0 : 1);
  }

  private static PolicyExplanation explanation(ExplainAnswer.PolicyExplanation policy) {
    PolicyExplanation.Builder message =
        PolicyExplanation.newBuilder()
            .setName(policy.name())
            .setHolds(policy.holds())
            .setLimit(policy.limit())
            .setWindow(policy.window())
            .setSource(policy.source())
            .setReason(policy.reason())
            .setUnread(policy.unread())
            .setUndecided(policy.undecided());
    Boolean allowed = policy.allowed();
    if (allowed != null) {
      message.setAllowed(BoolValue.of(allowed));
    }
    Long remaining = policy.remaining();
    if (remaining != null) {
      message.setRemaining(Int64Value.of(remaining));
    }
    Long resetTime = policy.resetTime();
    if (resetTime != null) {
      message.setResetTime(Int64Value.of(resetTime));
    }
    RegionsAnswer regions = policy.regions();
    if (regions != null) {
      message.setRegions(counts(regions));
    }
    return message.build();
  }

  private static RegionCounts counts(RegionsAnswer regions) {
    RegionCounts.Builder message = RegionCounts.newBuilder().setCounting(regions.counting().name());
    for (RegionsAnswer.RegionAnswer each : regions.regions()) {
      message.addRegions(count(each));
    }
    RegionsAnswer.SumAnswer sum = regions.sum();
    if (sum != null) {
      message.setSum(
          RegionSum.newBuilder()
              .setLimit(sum.limit())
              .setUsed(sum.used())
              .setRemaining(sum.remaining()));
    }
    return message.build();
  }

  private static RegionCount count(RegionsAnswer.RegionAnswer region) {
    RegionCount.Builder message =
        RegionCount.newBuilder()
            .setName(region.name())
            .setIsOwn(region.isOwn())
            .setLimit(region.limit());
    Long used = region.used();
    if (used != null) {
      message.setUsed(Int64Value.of(used));
    }
    Long remaining = region.remaining();
    if (remaining != null) {
      message.setRemaining(Int64Value.of(remaining));
    }
    Long resetTime = region.resetTime();
    if (resetTime != null) {
      message.setResetTime(Int64Value.of(resetTime));
    }
    String unanswered = region.unanswered();
    return message.setUnanswered(unanswered == null ? "" : unanswered).build();
  }

  static StatusResponse response(LimitStatusAnswer answer) {
    StatusResponse.Builder response =
        StatusResponse.newBuilder()
            .setUserId(answer.userId())
            .setTier(answer.tier())
            .setIncomplete(answer.incomplete());
    if (answer.access() != null) {
      response.setAccess(answer.access());
    }
    for (LimitStatusAnswer.BanStatus each : answer.bans()) {
      Ban.Builder ban =
          Ban.newBuilder().setValidUntil(seconds(each.until())).setReason(each.reason());
      String policy = each.policy();
      response.addBans(policy == null ? ban : ban.setPolicy(policy));
    }
    for (LimitStatusAnswer.RuleStatus each : answer.rules()) {
      response.addRules(
          RuleStatus.newBuilder()
              .setEndpoint(each.endpoint())
              .setLimit(each.limit())
              .setRemaining(each.remaining())
              .setResetTime(each.resetTime()));
    }
    return response.build();
  }
}
