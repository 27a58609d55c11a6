package io.weir.control;

/** All tests of the API; each server runs them. */
abstract class ControlSuite extends AppPerTest
    implements DecideTests,
        BodyTests,
        AccessTests,
        SessionTests,
        ConsoleTests,
        ForwardTests,
        OpenApiTests,
        AdminTests,
        AccessListTests,
        RecordsTests,
        UserTests,
        CallerTests,
        DashboardTests,
        OutcomeTests,
        EventTests {}
