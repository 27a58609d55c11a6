package io.weir.internal.control;

import io.weir.internal.control.access.RoleCheck;
import io.weir.internal.control.admin.callers.CallersResource;
import io.weir.internal.control.admin.rules.CostsResource;
import io.weir.internal.control.admin.changes.HistoryResource;
import io.weir.internal.control.admin.policies.PoliciesResource;
import io.weir.internal.control.admin.records.RecordsResource;
import io.weir.internal.control.admin.rules.RulebookResource;
import io.weir.internal.control.admin.rules.RulesResource;
import io.weir.internal.control.admin.policies.SwitchesResource;
import io.weir.internal.control.admin.upgrades.UpgradesResource;
import io.weir.internal.control.admin.users.UserResource;
import io.weir.internal.control.admin.users.UsersResource;
import io.weir.internal.control.dashboard.DashboardResource;
import io.weir.internal.control.decide.CallerBucketFinder;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.decide.RequestExplainer;
import io.weir.internal.control.decide.UserStatusReader;
import io.weir.internal.control.events.EventHub;
import io.weir.internal.control.events.EventsResource;
import io.weir.internal.control.events.UpgradeLog;
import io.weir.internal.control.events.Webhook;
import io.weir.internal.control.openapi.OpenApiDocument;
import io.weir.internal.control.rest.DecisionResource;
import io.weir.internal.control.rest.ForwardResource;
import io.weir.internal.control.openapi.OpenApiResource;
import io.weir.internal.guard.WeirRuntime;
import io.weir.rules.Rules;
import java.util.ArrayList;
import java.util.List;

/** All resources of the feature: a new one has its line here. */
final class ControlResources {
  private ControlResources() {}

  /** Makes them, each once; they are safe for concurrent use. */
  static List<Object> all(ControlContext context) {
    List<Object> all = new ArrayList<>();
    RequestDecider decisions = RequestDecider.of(context.weir());
    UserStatusReader statuses = new UserStatusReader(decisions, context.rules());
    RequestExplainer explanations = new RequestExplainer(decisions, context.rules());
    all.add(new DecisionResource(decisions, explanations, statuses));
    all.add(new ForwardResource(context.weir()));
    all.add(new DashboardResource(context.rules(), statuses));
    addAdministration(all, context, new CallerBucketFinder(decisions, context.rules()));
    List<Class<?>> described = new ArrayList<>(types(all));
    described.add(OpenApiResource.class);
    all.add(new OpenApiResource(OpenApiDocument.of(described)));
    return List.copyOf(all);
  }

  private static void addAdministration(
      List<Object> all, ControlContext context, CallerBucketFinder buckets) {
    WeirRuntime weir = context.weir();
    Rules rules = context.rules();
    EventHub events = new EventHub(rules, weir::isStoreAway);
    Webhook.start(weir::setting, events, rules::isOnDuty, weir::isOpen);
    UpgradeLog.start(events, rules::isOnDuty);
    all.add(new RulesResource(rules.rules()));
    all.add(new RulebookResource(rules.yaml()));
    all.add(new PoliciesResource(rules));
    all.add(new CostsResource(rules.costs()));
    all.add(new SwitchesResource(rules.switches()));
    UsersResource users = new UsersResource(rules);
    all.add(users);
    all.add(new UserResource(users));
    all.add(new CallersResource(rules, buckets));
    all.add(new UpgradesResource(rules.upgrades()));
    all.add(new HistoryResource(rules.history()));
    all.add(new RecordsResource(rules));
    all.add(new EventsResource(events, context.isOpen(), new RoleCheck(weir::setting)));
  }

  /** Their classes. */
  static List<Class<?>> types(List<Object> resources) {
    List<Class<?>> types = new ArrayList<>();
    for (Object each : resources) {
      types.add(each.getClass());
    }
    return types;
  }
}
