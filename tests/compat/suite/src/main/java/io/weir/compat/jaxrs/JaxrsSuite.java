package io.weir.compat.jaxrs;

/** Runs all tests of the JAX-RS adapter; a subclass chooses the server. */
public abstract class JaxrsSuite extends JaxrsServing
    implements WindowTests,
        ModeTests,
        KeyTests,
        CallerTests,
        CountTests,
        BodyTests,
        BindingTests,
        SubResourceTests,
        PhaseTests,
        PolicySourceTests,
        AccessTests,
        BanTests,
        CompletedTests,
        CostTests,
        RequestBodyTests,
        WireTests,
        RefusalTests,
        SettingsTests,
        LateSettingsTests,
        StartUpTests,
        GarbageTests,
        PathTests,
        AttackTests {}
