package io.weir.example.jersey;

import io.weir.Weir;
import io.weir.control.ControlFeature;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.rules.Rules;
import org.glassfish.jersey.server.ResourceConfig;

/**
 * Registers the resources, the feature that enforces their annotations, and the control API with
 * its console.
 */
final class ExampleApplication extends ResourceConfig {
  ExampleApplication(Weir weir, PretendedLoad load) {
    register(new RateLimitFeature(weir));
    registerClasses(
        QueryFilter.class,
        IndexResource.class,
        LimitResource.class,
        ProfileResource.class,
        SignInFilter.class,
        ControlSignInFilter.class,
        SignInResource.class,
        LoginResource.class,
        SmsResource.class,
        BrokenMapper.class);
    register(new FeedResource(load));
    register(new QuotaResource(weir));
    Rules.of(weir).ifPresent(rules -> register(new ControlFeature(weir, rules)));
  }
}
