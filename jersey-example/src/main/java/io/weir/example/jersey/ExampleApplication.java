package io.weir.example.jersey;

import io.weir.Weir;
import io.weir.jaxrs.RateLimitFeature;
import org.glassfish.jersey.server.ResourceConfig;

/** Registers the resources, and the feature that enforces their annotations. */
final class ExampleApplication extends ResourceConfig {
  ExampleApplication(Weir weir, PretendedLoad load) {
    register(new RateLimitFeature(weir));
    registerClasses(
        QueryFilter.class,
        IndexResource.class,
        LimitResource.class,
        ProfileResource.class,
        SignInFilter.class,
        LoginResource.class,
        SmsResource.class,
        BrokenMapper.class);
    register(new FeedResource(load));
    register(new QuotaResource(weir));
  }
}
