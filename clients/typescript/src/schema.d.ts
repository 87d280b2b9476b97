// Generated from docs/openapi.json by tools/types.mjs.
export interface paths {
    "/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["disableSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["generateSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["loginSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/step-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stepUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifySecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAPIKeys"];
        put?: never;
        post: operations["createAPIKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-key/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeAPIKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/confirm-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitation/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvitationInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPasskeys"];
        put?: never;
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/auth/passkeys/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["askPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["loginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/login-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["beginPasskeyLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["offerPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register-with-organisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["registerWithOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete: operations["endSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["clientToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bank-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createBankAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bank-accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBankAccount"];
        put?: never;
        post?: never;
        delete: operations["deleteBankAccount"];
        options?: never;
        head?: never;
        patch: operations["changeBankAccount"];
        trace?: never;
    };
    "/bank-accounts/find-bank": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["findBank"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bank-accounts/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBankAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bank-accounts/receiver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createReceiverWithBankAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBookkeepingAccounts"];
        put: operations["setBookkeepingAccounts"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBookkeepingBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBookkeepingEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportBookkeeping"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/openings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBookkeepingOpenings"];
        put?: never;
        post: operations["openBookkeeping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/openings/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["withdrawBookkeepingOpening"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBookkeepingPeriods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/periods/{period}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["closeBookkeepingPeriod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/periods/{period}/invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["makeCollectiveInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/periods/{period}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reopenBookkeepingPeriod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/periods/{period}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readStatementOfMonth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBookkeepingSettings"];
        put: operations["setBookkeepingSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookkeeping/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBookkeepingStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chat-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChatChannels"];
        put?: never;
        post: operations["createChatChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chat-channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readChatChannel"];
        put?: never;
        post?: never;
        delete: operations["deleteChatChannel"];
        options?: never;
        head?: never;
        patch: operations["changeChatChannel"];
        trace?: never;
    };
    "/chat-channels/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testChatChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/countries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCountries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCurrencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadDocument"];
        put?: never;
        post?: never;
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents/{key}/pages/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readDocumentPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/downloads/{link}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEmailPreferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeEmailPreferences"];
        trace?: never;
    };
    "/email/resubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showUnsubscribe"];
        put?: never;
        post: operations["unsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idv/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["registerCompany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idv/get-applicant-info/{applicantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["getApplicantInfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idv/get-applicant-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["getApplicantToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idv/update-applicant-info/{applicantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["updateApplicantInfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idv/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["registerPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["takeImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readImportTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listNetworks"];
        put?: never;
        post: operations["createNetwork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/networks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readNetwork"];
        put?: never;
        post?: never;
        delete: operations["deleteNetwork"];
        options?: never;
        head?: never;
        patch: operations["changeNetwork"];
        trace?: never;
    };
    "/networks/{id}/tokens/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["placeToken"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/networks/client-visible-evm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listClientVisibleEvmNetworks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPlatformApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/approvals/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["standIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHouseBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/balances/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["releaseHouseBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/bank-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBankFiles"];
        put?: never;
        post: operations["importBankFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/bank-files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBankFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/bank-files/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadBankFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/books/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHouseBookBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/books/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHouseEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/books/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportHouseBook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/books/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readHouseReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDeposits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/deposits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readDeposit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/deposits/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decideDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHeld"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/held/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decideHeld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/ledger/journals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listJournals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/ledger/journals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/ledger/verifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLedgerVerifications"];
        put?: never;
        post: operations["verifyLedger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/liquidity-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLiquidityProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/organisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTenants"];
        put?: never;
        post: operations["addTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/organisations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readTenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/organisations/{id}/return-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["setReturnPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/organisations/{id}/sign-on/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmSignOnDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/organisations/{id}/sign-on/passwords": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["allowPasswords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/organisations/{id}/terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeTerms"];
        trace?: never;
    };
    "/operations/provider-differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProviderDifferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/provider-movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recordProviderMovement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/rails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/rails/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pauseRail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/rails/{id}/thaw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["thawRail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/rate-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRateSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/receivables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOwed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/receivables/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decideOwed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/records/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRecordComments"];
        put?: never;
        post: operations["addRecordComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/reviews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/reviews/{id}/checklist/{point}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["checkReview"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/reviews/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["commentReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/reviews/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decideReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/reviews/{id}/documents/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadReviewDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/screening-cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listScreeningCases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/screening-cases/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decideScreeningCase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/screening-lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listScreeningLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/screenings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listScreenings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getStock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/stock/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changeStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/transactions/{id}/give-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["giveUpTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/transactions/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/transactions/{id}/returns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["settleReturn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/treasury-movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recordTreasuryMovement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/users/{id}/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recoverUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/wallet-reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWalletReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrganisation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeOrganisation"];
        trace?: never;
    };
    "/organisations/{id}/approval-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApprovalPolicy"];
        put: operations["setApprovalPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/brand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBrand"];
        put: operations["setBrand"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/brand/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["setBrandLogo"];
        post?: never;
        delete: operations["deleteBrandLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOrganisationComments"];
        put?: never;
        post: operations["addOrganisationComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvitations"];
        put?: never;
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/invitations/{invitationId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/members/{memberId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readMember"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeMember"];
        trace?: never;
    };
    "/organisations/{id}/senders-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSendersInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/sign-on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSignOn"];
        put: operations["setSignOn"];
        post?: never;
        delete: operations["deleteSignOn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/sign-on/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkSignOn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/sign-on/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addSignOnDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/sign-on/domains/{domainId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteSignOnDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/sign-on/domains/{domainId}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkSignOnDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/sign-on/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSignOnLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/sign-on/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteSignOnLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/{id}/sign-on/scim-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["makeScimToken"];
        delete: operations["deleteScimToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["joinOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMyOrganisations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createPayable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPayable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changePayable"];
        trace?: never;
    };
    "/payables/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approvePayable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPayableComments"];
        put?: never;
        post: operations["addPayableComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["duplicatePayable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejectPayable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reopenPayable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approvePayables"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["countPayables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/create-invoice-bank-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createInvoiceBankAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/create-invoice-payable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createInvoicePayable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/create-invoice-receiver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createInvoiceReceiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/create-invoice-wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createInvoiceWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/extract-qr-bill-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["extractQrBillInfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/generate-invoice-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createInvoiceLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/get-invoice-token-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readInvoiceToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/invoice-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvoiceLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/invoice-links/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readInvoiceLink"];
        put?: never;
        post?: never;
        delete: operations["revokeInvoiceLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/invoice-links/{tokenId}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmInvoiceLinkProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/invoice-links/{tokenId}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refuseInvoiceLinkProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/invoice-links/{tokenId}/send-again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendInvoiceLinkAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPayables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/submit-invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["submitInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/upload-invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["uploadInvoiceByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payables/validate-invoice-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["validateInvoiceToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-rails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPaymentRails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receivables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listReceivables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receivables/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readReceivable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receivers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createReceiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receivers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readReceiver"];
        put?: never;
        post?: never;
        delete: operations["deleteReceiver"];
        options?: never;
        head?: never;
        patch: operations["changeReceiver"];
        trace?: never;
    };
    "/receivers/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listReceiverComments"];
        put?: never;
        post: operations["addReceiverComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receivers/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listReceivers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receivers/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSelfReceiver"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSchedules"];
        put?: never;
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acceptSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stopSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trading-pairs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTradingPairs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTransactions"];
        put?: never;
        post: operations["createTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTransaction"];
        put: operations["updateTransaction"];
        post?: never;
        delete: operations["deleteTransaction"];
        options?: never;
        head?: never;
        patch: operations["hideTransaction"];
        trace?: never;
    };
    "/transactions/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acceptTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/agree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["agreeToTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/bank-details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBankDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/check-allowance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkAllowance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTransactionComments"];
        put?: never;
        post: operations["addTransactionComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/credit-note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["makeCreditNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["explainTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/intent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTransactionIntent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["makeInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/own-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTransactionOwnCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/pay-again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["payFailedAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejectTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/remarks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readTransactionRemarks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["makeStatement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["submitTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{id}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["validateTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/min-onramp-amount": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["minOnrampAmount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/onramp-currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOnrampCurrencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/payables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["payPayables"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/change-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changeUserStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["completeUser"];
        trace?: never;
    };
    "/users/complete/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCompleteInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeMe"];
        trace?: never;
    };
    "/users/send-complete-your-beneficiary-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendCompleteYourBeneficiaryAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/send-complete-your-hnwi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendCompleteYourHNWI"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/send-complete-your-kyc-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendCompleteYourKYCEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/send-user-confirmation-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendUserConfirmationEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readWallet"];
        put?: never;
        post?: never;
        delete: operations["deleteWallet"];
        options?: never;
        head?: never;
        patch: operations["changeWallet"];
        trace?: never;
    };
    "/wallets/{id}/allowances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readWalletAllowances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readWalletBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["challengeWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readWalletLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/safe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSafe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/safe-transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSafeTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/safe-transactions/{safeTxHash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSafeTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/safe-transactions/{safeTxHash}/confirmations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmSafeTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/screening-decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decideWalletScreening"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{id}/verify-wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhookEndpoints"];
        put?: never;
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readWebhookEndpoint"];
        put?: never;
        post?: never;
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/deliveries/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/deliveries/{delivery}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AddPasskeyRequest: {
            credential: {
                [key: string]: unknown;
            };
            name: string;
        };
        AddRecordCommentRequest: {
            comment: string;
            documents?: string[];
            internal?: boolean | null;
        };
        AddSignOnDomainRequest: {
            domain: string;
        };
        AddTenantRequest: {
            address?: components["schemas"]["OrganisationAddressInput"] | null;
            country?: string | null;
            dateOfBirth?: string | null;
            email: string;
            firstName: string;
            lastName: string;
            name?: string | null;
            /** @enum {string} */
            organisationType: "Organisation" | "HNWI";
            registrationNumber?: string | null;
        };
        AllowPasswordsRequest: {
            reason: string;
        };
        AnalysisCaseView: {
            _id: string;
            allowedActions: string[];
            comments: components["schemas"]["CommentView"][];
            createdAt: string;
            decidedBy?: string | null;
            decidedByName?: string | null;
            listed: components["schemas"]["AnalysisHitView"];
            name: string;
            object: string;
            organisation: string;
            /** @enum {string|null} */
            proposal?: "CLEARED" | "CONFIRMED" | null;
            proposedBy?: string | null;
            proposedByName?: string | null;
            reason?: string | null;
            /** @enum {string} */
            status: "OPEN" | "PROPOSED" | "CLEARED" | "CONFIRMED";
            updatedAt: string;
            version: number;
        };
        AnalysisCaseViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AnalysisCaseView"][];
            total: number;
        };
        AnalysisHitView: {
            births: string[];
            countries: string[];
            entry: string;
            list: string;
            name: string;
            numbers: string[];
            places: string[];
            programs: string[];
            score: number;
            weak: boolean;
            why: string;
        };
        AnalysisRecordView: {
            _id: string;
            askedAt: string;
            createdAt: string;
            hits: components["schemas"]["AnalysisHitView"][];
            /** @enum {string} */
            kind: "ADDRESS" | "NAME";
            message?: string | null;
            network?: string | null;
            object: string;
            organisation: string;
            /** @enum {string} */
            purpose: "WALLET" | "SUBMIT" | "ACCEPT" | "SEND";
            reference: string;
            /** @enum {string} */
            status: "APPROVED" | "REVIEW" | "REJECTED" | "ERROR";
            subject: string;
        };
        AnalysisRecordViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AnalysisRecordView"][];
            total: number;
        };
        AppBankFileView: {
            _id: string;
            arrivedAt?: string | null;
            code?: string | null;
            controlSum?: string | null;
            createdAt: string;
            /** @enum {string} */
            direction: "OUT" | "IN";
            entries?: number | null;
            executeOn?: string | null;
            houseAccount?: string | null;
            matchedEntries?: number | null;
            message?: string | null;
            messageId?: string | null;
            name: string;
            newEntries?: number | null;
            payments?: number | null;
            rail?: string | null;
            reason?: string | null;
            remark?: string | null;
            sha256?: string | null;
            size: number;
            state: string;
            statuses?: number | null;
        };
        AppBankFileViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AppBankFileView"][];
            total: number;
        };
        AppHeldChoice: {
            /** @enum {string} */
            action: "ARRIVED" | "SEND_AGAIN" | "PLAN_AGAIN" | "REJECT" | "BOOK" | "DROP" | "CORRECT" | "RESEND" | "GIVE_UP";
            effect: string;
        };
        AppHeldView: {
            account?: string | null;
            amount?: components["schemas"]["Decimal"] | null;
            asset?: string | null;
            choices: components["schemas"]["AppHeldChoice"][];
            endsBy: string;
            file?: string | null;
            /** @enum {string} */
            kind: "PAYOUT_HELD" | "PAYOUT_UNANSWERED" | "PAYOUT_CONTRADICTED" | "PAYOUT_PAYEE_DIFFERS" | "PAYEE_OUT_OF_DATE" | "FILE_STUCK" | "STATEMENT_WAITING" | "STATEMENT_UNBALANCED" | "FILE_QUARANTINED" | "ENTRY_DOUBTFUL" | "DETAILS_LATE" | "PAYMENT_UNKNOWN" | "RETURN_UNBOOKED" | "SEND_HELD" | "TOKENS_KEPT";
            payee?: string | null;
            since: string;
            subject: string;
            tookEffect: string[];
            tookNoEffect: string[];
            transaction?: string | null;
            why: string;
        };
        AppHeldViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AppHeldView"][];
            total: number;
        };
        AppImportView: {
            code?: string | null;
            entries: number;
            file: string;
            matchedEntries: number;
            message?: string | null;
            newEntries: number;
            /** @enum {string} */
            outcome: "IMPORTED" | "REPEATED" | "QUARANTINED" | "UNBALANCED" | "WAITING";
            reason?: string | null;
            remark?: string | null;
            statuses: number;
        };
        AppJournalDetailView: {
            _id: string;
            bookedOn: string;
            createdAt: string;
            hash: string;
            isGenuine: boolean;
            isUnchanged: boolean;
            key: string;
            kind: string;
            link?: components["schemas"]["AppLinkView"] | null;
            organisation?: string | null;
            organisationName?: string | null;
            postings: components["schemas"]["AppPostingView"][];
            transaction?: string | null;
            valueOn: string;
        };
        AppJournalView: {
            _id: string;
            bookedOn: string;
            createdAt: string;
            hash: string;
            key: string;
            kind: string;
            link?: components["schemas"]["AppLinkView"] | null;
            organisation?: string | null;
            organisationName?: string | null;
            transaction?: string | null;
            valueOn: string;
        };
        AppJournalViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AppJournalView"][];
            total: number;
        };
        AppLinkView: {
            hash: string;
            number: number;
            sealedAt: string;
        };
        AppLiquidityProviderView: {
            _id: string;
            active: boolean;
            createdAt: string | null;
            currencies: string[];
            immediatePayout: boolean | null;
            messagingChatId: string | null;
            minTradeAmount?: number | null;
            providerId: string;
            requiresProviderInTradingPair: boolean;
            supportedChainIds: number[];
            updatedAt: string | null;
            wallets: {
                [key: string]: string;
            };
        };
        AppLiquidityProviderViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AppLiquidityProviderView"][];
            total: number;
        };
        AppNodeView: {
            aside: boolean;
            behind: boolean;
            failures: number;
            head: number;
            host: string;
            refuted: number;
            said: string;
            verified: boolean;
        };
        AppPauseView: {
            at: string;
            by: string;
            byName?: string | null;
            reason: string;
        };
        AppPostingView: {
            account: string;
            accountName: string;
            amount?: components["schemas"]["Decimal"] | null;
            asset: string;
            memo?: string | null;
            units: string;
        };
        AppProofView: {
            _id: string;
            askedBy: string;
            askedByName?: string | null;
            assets: string[];
            createdAt: string;
            endedAt?: string | null;
            faults: string[];
            headAt?: string | null;
            journals: number;
            journalsRead: number;
            links: number;
            open: components["schemas"]["AppPostingView"][];
            postings: number;
            /** @enum {string} */
            state: "RUNNING" | "SOUND" | "UNSOUND";
            unlinked: number;
        };
        AppProofViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AppProofView"][];
            total: number;
        };
        AppRailView: {
            frozen: string;
            goesOn: string[];
            halted: string;
            lastError: string;
            network: string;
            nextNonce: number;
            nodes: components["schemas"]["AppNodeView"][];
            open: {
                [key: string]: number;
            };
            pause?: components["schemas"]["AppPauseView"] | null;
            paused: boolean;
            sending: boolean;
            short: string[];
            signer: string;
            sound: boolean;
            waiting: string;
        };
        AppRailViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AppRailView"][];
            total: number;
        };
        AppRateSourceView: {
            asOf: string | null;
            problem: string;
            since: string | null;
            source: string;
            usable: boolean;
        };
        AppRateSourceViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AppRateSourceView"][];
            total: number;
        };
        ApprovalView: {
            _id: string;
            allowedActions: string[];
            authors: string[];
            comment?: string | null;
            createdAt: string;
            decidedAt?: string | null;
            decidedBy?: string | null;
            decidedByName?: string | null;
            /** @enum {string} */
            kind: "RECEIVER" | "BANK_ACCOUNT" | "WALLET" | "POLICY" | "MEMBER" | "INVITATION" | "PERIOD" | "RECOVERY" | "NETWORK" | "TOKEN" | "TERMS" | "RETURN" | "HELD" | "BANK_HOLD" | "BANK_KEYS" | "MOVEMENT" | "RELEASE" | "STOCK" | "RECEIVABLE" | "REREADING" | "DEPOSIT";
            notAfter?: string | null;
            notBefore?: string | null;
            object: string;
            /** @enum {string|null} */
            outcome?: "WAITING" | "CARRIED_OUT" | "REFUSED" | null;
            outcomeInfo?: string | null;
            requestedBy: string;
            requestedByName?: string | null;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED" | "SUPERSEDED" | "EXPIRED";
            summary: string;
            version: number;
        };
        ApprovalViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["ApprovalView"][];
            total: number;
        };
        ApprovePayableRequest: {
            comment?: string | null;
        };
        ApprovePayablesRequest: {
            comment?: string | null;
            ids: string[];
        };
        ApproveRequest: {
            comment?: string | null;
        };
        AppTenantDetailView: {
            _id: string;
            address: components["schemas"]["OrganisationAddress"];
            allowedActions: string[];
            countryIsoCode: string;
            createdAt: string;
            cumulativeAmount: components["schemas"]["Decimal"];
            customCommissions: components["schemas"]["OrganisationCommissionView"][];
            isActive: boolean;
            memberCount: number;
            members: components["schemas"]["AppTenantPersonView"][];
            minUSDPaymentAmount: components["schemas"]["Decimal"];
            name: string;
            /** @enum {string} */
            onboardingStatus: "PENDING" | "SUBMITTED" | "APPROVED" | "REJECTED";
            /** @enum {string} */
            organisationType: "Organisation" | "HNWI";
            referenceCode: string;
            registrationNumber?: string | null;
            review?: components["schemas"]["ReviewListedView"] | null;
            /** @enum {string} */
            risk: "LOW" | "MEDIUM" | "HIGH" | "PROHIBITED";
            termsPending?: string | null;
            transactionValueLimit: components["schemas"]["Decimal"];
        };
        AppTenantPersonView: {
            allowedActions: string[];
            codesBlockedUntil?: string | null;
            email: string;
            isActive: boolean;
            isMember: boolean;
            name: string;
            /** @enum {string} */
            onboardingStatus: "PENDING" | "SUBMITTED" | "APPROVED" | "REJECTED";
            review?: components["schemas"]["ReviewListedView"] | null;
            roles: ("viewer" | "initiator" | "approver" | "admin")[];
            twoFactorEnabled: boolean;
            user: string;
            userType: string;
        };
        AppTenantView: {
            _id: string;
            countryIsoCode: string;
            createdAt: string;
            isActive: boolean;
            memberCount: number;
            name: string;
            /** @enum {string} */
            onboardingStatus: "PENDING" | "SUBMITTED" | "APPROVED" | "REJECTED";
            /** @enum {string} */
            organisationType: "Organisation" | "HNWI";
            referenceCode: string;
            review?: components["schemas"]["ReviewListedView"] | null;
        };
        AppTenantViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AppTenantView"][];
            total: number;
        };
        AuthAddedPasskeyView: {
            _id: string;
            backedUp: boolean;
            createdAt: string;
            lastUsedAt: string | null;
            name: string;
            recoveryCodes: string[];
            version: number;
        };
        AuthClientView: {
            allowedActions: string[];
            allowedIps: string[];
            clientId: string;
            createdAt: string;
            expiresAt: string | null;
            lastUsedAt: string | null;
            lastUsedFrom: string;
            name: string;
            organisation: string;
            revokedAt: string | null;
            scopes: string[];
            secret?: string | null;
        };
        AuthClientViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AuthClientView"][];
            total: number;
        };
        AuthCompleteInfoView: {
            email: string;
            expiresAt: string;
            firstName: string;
            lastName: string;
            organisationName: string;
        };
        AuthDisabledView: {
            enabled: boolean;
        };
        AuthEnabledView: {
            enabled: boolean;
            recoveryCodes: string[];
        };
        AuthGeneratedView: {
            otpauthUrl: string;
            qrCodeDataUrl: string;
            secret: string;
        };
        AuthInvitationInfoView: {
            email: string;
            expiresAt: string;
            invitedByName: string;
            isVerified: boolean;
            organisationName: string;
            roles: ("viewer" | "initiator" | "approver" | "admin")[];
        };
        AuthLoginView: {
            access_token: string;
            refresh_token: string;
            requires_2fa: boolean;
            requires_2fa_setup: boolean;
            tempToken?: string | null;
        };
        AuthMessageView: {
            message: string;
        };
        AuthPasskeyOptionsView: {
            publicKey: {
                [key: string]: unknown;
            };
        };
        AuthPasskeyView: {
            _id: string;
            backedUp: boolean;
            createdAt: string;
            lastUsedAt: string | null;
            name: string;
            version: number;
        };
        AuthPasskeyViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AuthPasskeyView"][];
            total: number;
        };
        AuthProofInput: {
            code?: string | null;
            passkey?: {
                [key: string]: unknown;
            } | null;
        };
        AuthQueuedView: {
            queued: boolean;
        };
        AuthSessionView: {
            _id: string;
            console: boolean;
            createdAt: string;
            current: boolean;
            expiresAt: string;
            lastUsedAt: string;
            secondFactorAt: string | null;
            signOn: string;
            source: string;
        };
        AuthSessionViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["AuthSessionView"][];
            total: number;
        };
        AuthSteppedUpView: {
            validUntil: string;
        };
        AuthTokensView: {
            access_token: string;
            refresh_token: string;
            requires_2fa_setup: boolean;
        };
        BankaccountBankView: {
            bankName?: string | null;
            bicNeeded: boolean;
            bicSwift?: string | null;
        };
        BankaccountView: {
            _id: string;
            accountNumber?: string | null;
            /** @enum {string|null} */
            accountType?: "CHECKING" | "SAVINGS" | null;
            allowedActions: string[];
            approval?: string | null;
            bankAddress?: string | null;
            bankAddress2?: string | null;
            bankBranch?: string | null;
            bankCity?: string | null;
            bankCode?: string | null;
            bankCountry: components["schemas"]["RecordCountry"];
            bankEmail?: string | null;
            bankFax?: string | null;
            bankName?: string | null;
            bankPhone?: string | null;
            bankState?: string | null;
            bankWebsite?: string | null;
            bankZip?: string | null;
            bicSwift?: string | null;
            branchCode?: string | null;
            channel?: string | null;
            createdAt: string;
            currency: components["schemas"]["RecordCurrency"];
            iban?: string | null;
            ibanSuiteValidation: components["schemas"]["ReceiverIBANSuiteView"];
            ifscCode?: string | null;
            intermediaryBankName?: string | null;
            intermediaryRoutingCode?: string | null;
            payableFrom?: string | null;
            paymentRails: components["schemas"]["RefdataPaymentRailView"][];
            receiver: components["schemas"]["ReceiverEmbedded"];
            routingNumber?: string | null;
            sepaSupport: components["schemas"]["ReceiverSEPASupportView"];
            softDeleted: boolean;
            sortCode?: string | null;
            updatedAt: string;
            version: number;
            wireSupport: components["schemas"]["ReceiverWireSupportView"];
        };
        BankaccountViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["BankaccountView"][];
            total: number;
        };
        BeginPasskeyLoginRequest: {
            tempToken?: string | null;
        };
        BillscanDiscountView: {
            days: number;
            percent: components["schemas"]["Decimal"];
        };
        BillscanInvoiceView: {
            conditions: components["schemas"]["BillscanDiscountView"][];
            customerReference?: string | null;
            date?: string | null;
            dueDate?: string | null;
            importVat: components["schemas"]["BillscanVATView"][];
            number?: string | null;
            supplyFrom?: string | null;
            supplyTo?: string | null;
            vat: components["schemas"]["BillscanVATView"][];
            vatNumber?: string | null;
        };
        BillscanPartyView: {
            addressLine1?: string | null;
            addressLine2?: string | null;
            /** @enum {string|null} */
            addressType?: "S" | "K" | null;
            buildingNumber?: string | null;
            city?: string | null;
            countryIsoCode?: string | null;
            name: string;
            postCode?: string | null;
            street?: string | null;
        };
        BillscanPayeeAddress: {
            addressLine1?: string | null;
            city?: string | null;
            postCode?: string | null;
        };
        BillscanPayeeView: {
            address?: components["schemas"]["BillscanPayeeAddress"] | null;
            bankCountry: string;
            bicSwift?: string | null;
            countryIsoCode?: string | null;
            currency: string;
            iban: string;
            legalName: string;
        };
        BillscanPrefillView: {
            amount?: components["schemas"]["Decimal"] | null;
            bankAccount?: string | null;
            currencyIsoCode: string;
            documentStorageKey?: string | null;
            expectedPaymentDate?: string | null;
            invoiceNumber?: string | null;
            name: string;
            /** @enum {string} */
            origin: "QR_BILL" | "EPC_QR";
            reason?: string | null;
            receiver?: string | null;
            reference?: string | null;
            /** @enum {string} */
            type: "FIAT";
        };
        BillscanSeveralView: {
            bills?: components["schemas"]["BillscanSummary"][];
        };
        BillscanSummary: {
            amount?: components["schemas"]["Decimal"];
            bill: number;
            creditor?: string;
            currency?: string;
            faulty: boolean;
            iban?: string;
            page: number;
            reference?: string;
            source?: string;
        };
        BillscanVATView: {
            amount?: components["schemas"]["Decimal"] | null;
            percent: components["schemas"]["Decimal"];
        };
        BillscanView: {
            alternativeSchemes: string[];
            amount: components["schemas"]["Decimal"] | null;
            bicSwift?: string | null;
            billInformation: string;
            /** @enum {integer} */
            confidence: 1;
            creditor: components["schemas"]["BillscanPartyView"];
            /** @enum {string} */
            currency: "CHF" | "EUR";
            iban: string;
            information?: string | null;
            invoice: components["schemas"]["BillscanInvoiceView"] | null;
            isQrIban: boolean;
            message: string;
            page: number;
            payee: components["schemas"]["BillscanPayeeView"] | null;
            prefill: components["schemas"]["BillscanPrefillView"] | null;
            purpose?: string | null;
            reference: string;
            /** @enum {string} */
            referenceType: "QRR" | "SCOR" | "NON" | "OTHER";
            /** @enum {string} */
            source: "SWISS_QR" | "EPC";
            ultimateDebtor: components["schemas"]["BillscanPartyView"] | null;
            version: string;
            warnings: components["schemas"]["BillscanWarnView"][];
        };
        BillscanWarnView: {
            code: string;
            field?: string | null;
            message: string;
        };
        BookkeepingAccountBody: {
            asset?: string | null;
            costCentre?: string | null;
            kind: string;
            name: string;
            number: string;
            place?: string | null;
            receiverType?: string | null;
            taxCode?: string | null;
        };
        BookkeepingAccountView: {
            _id: string;
            asset: string;
            costCentre: string;
            isProposed: boolean;
            kind: string;
            name: string;
            number: string;
            place: string;
            receiverType: string;
            taxCode: string;
            words: string;
        };
        BookkeepingBalanceView: {
            _id: string;
            account: string;
            accountKind: string;
            accountName: string;
            amount: components["schemas"]["Decimal"];
            asset: string;
            /** @enum {string} */
            class: "ASSET" | "LIABILITY" | "EQUITY" | "INCOME" | "EXPENSE";
            credit: string | null;
            currency: string;
            debit: string | null;
        };
        BookkeepingBalanceViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["BookkeepingBalanceView"][];
            total: number;
        };
        BookkeepingChartView: {
            accounts: components["schemas"]["BookkeepingAccountView"][];
        };
        BookkeepingEntryView: {
            _id: string;
            account: string;
            accountKind: string;
            accountName: string;
            amount: components["schemas"]["Decimal"];
            asset: string;
            assetPerEuro: string | null;
            bankReference: string;
            bookedAt: string;
            bookedOn: string;
            costCentre: string;
            countsAs: string;
            credit: string | null;
            currency: string;
            date: string;
            debit: string | null;
            document: string;
            endToEndId: string;
            event: string;
            homePerEuro: string | null;
            invoiceNumber: string;
            isClosed: boolean;
            isProvisional: boolean;
            item: string;
            journal: string;
            kind: string;
            lots: components["schemas"]["BookkeepingLotView"][];
            party: string;
            place: string;
            rate: string | null;
            rateDate: string | null;
            rateSource: string | null;
            reason: string;
            receiverType: string;
            taxCode: string;
            transaction: string | null;
            transactionHash: string;
            /** @enum {string} */
            valuedBy: "RATE" | "LOTS" | "ACCOUNT" | "COUNTER" | "JOURNAL" | "COST" | "REVALUATION";
            valueOn: string;
        };
        BookkeepingEntryViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["BookkeepingEntryView"][];
            total: number;
        };
        BookkeepingLotView: {
            amount: components["schemas"]["Decimal"];
            cost: string;
            date: string;
            line: string;
        };
        BookkeepingOpeningView: {
            _id: string;
            accountKind: string;
            amount: components["schemas"]["Decimal"];
            asset: string;
            block: number | null;
            blockHash: string | null;
            on: string;
            openedAt: string;
            openedBy: string;
            place: string;
            reason: string;
            /** @enum {string} */
            source: "CHAIN" | "STATED";
            withdrawnAt: string | null;
        };
        BookkeepingOpeningViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["BookkeepingOpeningView"][];
            total: number;
        };
        BookkeepingPeriodsView: {
            periods: components["schemas"]["BookkeepingPeriodView"][];
        };
        BookkeepingPeriodView: {
            _id: string;
            closedAt: string | null;
            closedBy: string | null;
            from: string;
            isOver: boolean;
            /** @enum {string|null} */
            next: "CLOSE" | "REOPEN" | null;
            pendingApproval: string | null;
            reason: string | null;
            /** @enum {string} */
            state: "OPEN" | "CLOSED";
            to: string;
        };
        BookkeepingReportView: {
            balanceSheet: components["schemas"]["BookkeepingBalanceView"][];
            carriedProfit: string;
            currency: string;
            from: string;
            leftOut: string[];
            on: string;
            profit: string;
            profitAndLoss: components["schemas"]["BookkeepingBalanceView"][];
        };
        BookkeepingSettingsView: {
            /** @enum {string} */
            costMethod: "FIFO" | "AVERAGE";
            feesInCost: boolean;
            revalueCurrencies: boolean;
            revalueTokens: boolean;
        };
        BookkeepingSettingsViewInput: {
            /** @enum {string} */
            costMethod: "FIFO" | "AVERAGE";
            feesInCost: boolean;
            revalueCurrencies: boolean;
            revalueTokens: boolean;
        };
        BrandView: {
            colour: string;
            logo: string | null;
            name: string;
            updatedAt: string | null;
            version: number;
        };
        CategoriesStructInput: {
            product?: boolean;
            security?: boolean;
            transaction?: boolean;
        };
        ChangeBankAccountRequest: {
            accountNumber?: string | null;
            /** @enum {string|null} */
            accountType?: "CHECKING" | "SAVINGS" | null;
            achSupport?: boolean | ("YES" | "NO") | null;
            bankAddress?: string | null;
            bankAddress2?: string | null;
            bankCity?: string | null;
            bankCode?: string | null;
            bankCountry?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            bankName?: string | null;
            bankState?: string | null;
            bankZip?: string | null;
            bicSwift?: string | null;
            branchCode?: string | null;
            branchName?: string | null;
            channel?: string | null;
            currency?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            fedSupport?: boolean | ("YES" | "NO") | null;
            iban?: string | null;
            ifscCode?: string | null;
            intermediaryBankName?: string | null;
            intermediaryRoutingCode?: string | null;
            receiver?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            routingNumber?: string | null;
            sortCode?: string | null;
        };
        ChangeChatChannelRequest: {
            address?: string;
            isEnabled?: boolean;
            /** @enum {string} */
            language?: "en" | "de" | "fr";
            name?: string;
            news?: ("DECISIONS" | "PAYMENTS" | "PROBLEMS" | "INVOICES" | "PAYEES" | "TECHNICAL")[];
        };
        ChangeEmailPreferencesRequest: {
            categories?: components["schemas"]["CategoriesStructInput"];
            /** @enum {string} */
            transactionMails?: "AT_ONCE" | "MORNING" | "OFF";
        };
        ChangeEmailRequest: {
            newEmail: string;
            password: string;
        };
        ChangeMemberRequest: {
            isActive?: boolean;
            roles?: ("viewer" | "initiator" | "approver" | "admin")[];
            standsIn?: components["schemas"]["OrganisationStandInViewInput"] | null;
            userType?: string;
        };
        ChangeMeRequest: {
            address?: string | null;
            citizenship?: (string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }))[];
            country?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            dateOfBirth?: string | null;
            firstName?: string;
            lastName?: string;
            messagingHandle?: string | null;
            phoneNumber?: string | null;
        };
        ChangeOrganisationRequest: {
            defaultToken?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            defaultWallet?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            homeCurrency?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            name?: string;
            payablesEmail?: string | null;
            quoteHeadroomPercent?: string | null;
            requireIdempotencyKey?: boolean;
            taxId?: string | null;
            timeZone?: string | null;
            vatId?: string | null;
        };
        ChangePasswordRequest: {
            newPassword: string;
            oldPassword: string;
        };
        ChangeTermsRequest: {
            cumulativeAmount?: components["schemas"]["Decimal"];
            customCommissions?: components["schemas"]["OrganisationCommissionInput"][];
            minUSDPaymentAmount?: components["schemas"]["Decimal"];
            transactionValueLimit?: components["schemas"]["Decimal"];
        };
        ChangeUserStatusRequest: {
            isActive?: boolean | null;
        };
        ChangeWalletRequest: {
            address?: string;
            network?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            ownershipMessage?: string | null;
            receiver?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            /** @enum {string} */
            type?: "EOA" | "MULTISIG";
        };
        ChangeWebhookEndpointRequest: {
            /** @enum {string} */
            body?: "FULL" | "THIN";
            description?: string | null;
            isEnabled?: boolean;
            types?: string[];
            url?: string;
        };
        ChatchannelTestedView: {
            httpStatus: number;
            /** @enum {string} */
            outcome: "TAKEN" | "LATER" | "REFUSED" | "GONE";
            said: string;
        };
        ChatchannelView: {
            _id: string;
            allowedActions: string[];
            createdAt: string;
            failingSince?: string | null;
            isEnabled: boolean;
            /** @enum {string} */
            kind: "SLACK" | "TEAMS" | "MATRIX";
            /** @enum {string} */
            language: "en" | "de" | "fr";
            name: string;
            news: ("DECISIONS" | "PAYMENTS" | "PROBLEMS" | "INVOICES" | "PAYEES" | "TECHNICAL")[];
            /** @enum {string|null} */
            offReason?: "GONE" | "FAILING" | null;
            problem?: string | null;
            sentAt?: string | null;
            shownAddress: string;
            updatedAt: string;
            version: number;
        };
        ChatchannelViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["ChatchannelView"][];
            total: number;
        };
        CheckAllowanceRequest: {
            headroomPercent?: string | null;
        };
        CheckReviewRequest: {
            done: boolean;
        };
        ClientTokenRequest: {
            clientId: string;
            secret: string;
        };
        CloseBookkeepingPeriodRequest: {
            reason: string;
        };
        CommentInput: {
            comment: string;
            documents?: string[];
        };
        CommentReviewRequest: {
            comment: string;
        };
        CommentView: {
            _id: string;
            comment: string;
            createdAt: string;
            documents: string[];
            internal: boolean;
            updatedAt: string;
            user: string;
        };
        CommentViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["CommentView"][];
            total: number;
        };
        CompleteUserRequest: {
            firstName: string;
            lastName: string;
            password: string;
            phoneNumber?: string;
            token: string;
        };
        ConfirmAccountRequest: {
            token: string;
        };
        ConfirmInvoiceLinkProposalRequest: {
            proposal: string;
        };
        ConfirmSafeTransactionRequest: {
            signature: string;
        };
        ConfirmSignOnDomainRequest: {
            domain: string;
            reason: string;
        };
        CreateAPIKeyRequest: {
            allowedIps?: string[];
            expiresAt?: string | null;
            name?: string | null;
            password?: string | null;
            scopes?: string[];
        };
        CreateBankAccountRequest: {
            accountNumber?: string | null;
            /** @enum {string|null} */
            accountType?: "CHECKING" | "SAVINGS" | null;
            achSupport?: boolean | ("YES" | "NO") | null;
            bankAddress?: string | null;
            bankAddress2?: string | null;
            bankCity?: string | null;
            bankCode?: string | null;
            bankCountry: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            bankName?: string | null;
            bankState?: string | null;
            bankZip?: string | null;
            bicSwift?: string | null;
            branchCode?: string | null;
            branchName?: string | null;
            channel?: string | null;
            currency: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            fedSupport?: boolean | ("YES" | "NO") | null;
            iban?: string | null;
            ifscCode?: string | null;
            intermediaryBankName?: string | null;
            intermediaryRoutingCode?: string | null;
            receiver: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            routingNumber?: string | null;
            sortCode?: string | null;
        };
        CreateChatChannelRequest: {
            address: string;
            /** @enum {string} */
            kind: "SLACK" | "TEAMS" | "MATRIX";
            /** @enum {string|null} */
            language?: "en" | "de" | "fr" | null;
            name: string;
            news?: ("DECISIONS" | "PAYMENTS" | "PROBLEMS" | "INVOICES" | "PAYEES" | "TECHNICAL")[];
        };
        CreateInvoiceBankAccountRequest: {
            accountNumber?: string | null;
            /** @enum {string|null} */
            accountType?: "CHECKING" | "SAVINGS" | null;
            achSupport?: boolean | ("YES" | "NO") | null;
            bankCountry: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            bicSwift?: string | null;
            currency: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            fedSupport?: boolean | ("YES" | "NO") | null;
            iban?: string | null;
            ifscCode?: string | null;
            routingNumber?: string | null;
            sortCode?: string | null;
            token: string;
        };
        CreateInvoiceLinkRequest: {
            amount?: components["schemas"]["Decimal"] | null;
            currencyIsoCode?: string | null;
            email: string;
            isExistingReceiver: boolean;
            reason?: string | null;
            receiverId?: string | null;
        };
        CreateInvoicePayableRequest: {
            amount?: components["schemas"]["Decimal"] | null;
            bankAccount?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            currencyIsoCode?: string | null;
            documentStorageKey?: string | null;
            expectedPaymentDate?: string | null;
            instructions?: string | null;
            invoiceNumber?: string | null;
            name?: string | null;
            reason?: string | null;
            tokenId: string;
            tokenIsoCode?: string | null;
            /** @enum {string|null} */
            type?: "FIAT" | "CRYPTO" | null;
            wallet?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
        };
        CreateInvoiceReceiverRequest: {
            address?: string | {
                addressLine1?: string;
                city?: string;
                postCode?: string;
            } | null;
            countryIsoCode?: string | null;
            dateOfBirth?: string | null;
            email: string;
            firstName?: string | null;
            lastName?: string | null;
            legalName?: string | null;
            middleName?: string | null;
            phoneNumber?: string | null;
            taxId?: string | null;
            token: string;
            /** @enum {string} */
            type: "INDIVIDUAL" | "COMPANY";
        };
        CreateInvoiceWalletRequest: {
            address: string;
            network: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            token: string;
            /** @enum {string|null} */
            type?: "EOA" | "MULTISIG" | null;
        };
        CreateOrganisationRequest: {
            address?: components["schemas"]["OrganisationAddressInput"] | null;
            country?: string | null;
            dateOfBirth?: string | null;
            firstName?: string | null;
            lastName?: string | null;
            name?: string | null;
            /** @enum {string} */
            organisationType: "Organisation" | "HNWI";
            payablesEmail?: string | null;
            registrationNumber?: string | null;
        };
        CreateReceiverWithBankAccountRequest: {
            accountNumber?: string | null;
            /** @enum {string|null} */
            accountType?: "CHECKING" | "SAVINGS" | null;
            achSupport?: boolean | ("YES" | "NO") | null;
            address?: string | {
                addressLine1?: string;
                city?: string;
                postCode?: string;
            } | null;
            bankAddress?: string | null;
            bankAddress2?: string | null;
            bankCity?: string | null;
            bankCode?: string | null;
            bankCountry: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            bankName?: string | null;
            bankState?: string | null;
            bankZip?: string | null;
            bicSwift?: string | null;
            branchCode?: string | null;
            branchName?: string | null;
            channel?: string | null;
            countryIsoCode?: string | null;
            currency: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            dateOfBirth?: string | null;
            email: string;
            fedSupport?: boolean | ("YES" | "NO") | null;
            firstName?: string | null;
            iban?: string | null;
            ifscCode?: string | null;
            intermediaryBankName?: string | null;
            intermediaryRoutingCode?: string | null;
            isHidden?: boolean | null;
            lastName?: string | null;
            legalName?: string | null;
            middleName?: string | null;
            phoneNumber?: string | null;
            routingNumber?: string | null;
            sortCode?: string | null;
            taxId?: string | null;
            /** @enum {string} */
            type: "INDIVIDUAL" | "COMPANY";
        };
        CreateWalletRequest: {
            address: string;
            network: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            ownershipMessage?: string | null;
            receiver: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            /** @enum {string|null} */
            type?: "EOA" | "MULTISIG" | null;
        };
        CreateWebhookEndpointRequest: {
            /** @enum {string|null} */
            body?: "FULL" | "THIN" | null;
            description?: string | null;
            types?: string[];
            url: string;
        };
        DecideDepositRequest: {
            /** @enum {string} */
            action: "ASSIGN" | "REFUND" | "HOLD" | "RETURN" | "SETTLE";
            note?: string | null;
            payout?: string | null;
            receivable?: string | null;
            transaction?: string | null;
        };
        DecideHeldRequest: {
            /** @enum {string} */
            action: "ARRIVED" | "SEND_AGAIN" | "PLAN_AGAIN" | "REJECT" | "BOOK" | "DROP" | "CORRECT";
            reason: string;
            subject: string;
        };
        DecideOwedRequest: {
            /** @enum {string} */
            action: "SET_OFF" | "WRITE_OFF";
            reason: string;
            return?: string | null;
        };
        DecideReviewRequest: {
            basis: number;
            comment?: string | null;
            /** @enum {string} */
            decision: "APPROVE" | "REJECT_RETRY" | "REJECT_FINAL";
        };
        DecideScreeningCaseRequest: {
            /** @enum {string} */
            decision: "CLEARED" | "CONFIRMED";
            reason: string;
        };
        DecideWalletScreeningRequest: {
            /** @enum {string} */
            decision: "APPROVED" | "REJECTED";
            reason: string;
        };
        Decimal: string;
        DocumentUploadView: {
            allowedActions: string[];
            /** @enum {string} */
            contentType: "application/pdf" | "image/png" | "image/jpeg";
            createdAt: string;
            documentStorageKey: string;
            duplicateOf?: string[];
            fileName: string;
            invoiceLink?: string | null;
            sha256: string;
            size: number;
            uploadedBy?: string | null;
            url: string;
        };
        DocumentView: {
            allowedActions: string[];
            /** @enum {string} */
            contentType: "application/pdf" | "image/png" | "image/jpeg";
            createdAt: string;
            documentStorageKey: string;
            fileName: string;
            invoiceLink?: string | null;
            sha256: string;
            size: number;
            uploadedBy?: string | null;
            url: string;
        };
        DocumentViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["DocumentView"][];
            total: number;
        };
        EndpointAttemptView: {
            answer: string;
            createdAt: string;
            elapsedMicros: number;
            httpStatus: number;
            problem?: string | null;
            signature: string;
        };
        EndpointDeliveryDetailView: {
            _id: string;
            attempts: number;
            body: string;
            createdAt: string;
            endedAt?: string | null;
            event: string;
            nextAttemptAt?: string | null;
            number: string;
            object: string;
            /** @enum {string} */
            status: "PENDING" | "DELIVERED" | "FAILED";
            tries: components["schemas"]["EndpointAttemptView"][];
            type: string;
        };
        EndpointDeliveryView: {
            _id: string;
            attempts: number;
            createdAt: string;
            endedAt?: string | null;
            event: string;
            nextAttemptAt?: string | null;
            number: string;
            object: string;
            /** @enum {string} */
            status: "PENDING" | "DELIVERED" | "FAILED";
            type: string;
        };
        EndpointDeliveryViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["EndpointDeliveryView"][];
            total: number;
        };
        EndpointKeyView: {
            publicKey?: string | null;
            signsUntil?: string | null;
        };
        EndpointReplayView: {
            _id: string | null;
            count: number;
        };
        EndpointView: {
            _id: string;
            allowedActions: string[];
            apiVersion: string;
            /** @enum {string} */
            body: "FULL" | "THIN";
            createdAt: string;
            description?: string | null;
            failingSince?: string | null;
            isEnabled: boolean;
            isVerified: boolean;
            keys: components["schemas"]["EndpointKeyView"][];
            /** @enum {string|null} */
            offReason?: "GONE" | "FAILING" | null;
            secret?: string | null;
            types: string[];
            updatedAt: string;
            url: string;
            version: number;
        };
        EndpointViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["EndpointView"][];
            total: number;
        };
        FeedData: {
            object: {
                [key: string]: unknown;
            };
            previous?: {
                [key: string]: unknown;
            } | null;
        };
        FeedPageView: {
            hasMore: boolean;
            next: string;
            page_total: number;
            results: components["schemas"]["FeedView"][];
        };
        FeedView: {
            apiVersion: string;
            createdAt: string;
            data: components["schemas"]["FeedData"];
            id: string;
            number: string;
            object: string;
            sequence: number;
            type: string;
        };
        FieldProblem: {
            code: string;
            /** @enum {string} */
            in?: "query" | "path" | "header";
            message: string;
            name?: string;
            pointer?: string | null;
        };
        FindBankRequest: {
            currency?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            iban: string;
        };
        ForgotPasswordRequest: {
            email: string;
        };
        GenerateSecondFactorRequest: {
            password?: string | null;
        };
        GetApplicantTokenRequest: {
            organisationId?: string | null;
            /** @enum {string} */
            type: "user" | "organisation";
        };
        HideTransactionRequest: {
            isHidden: boolean;
        };
        HouseDifferenceView: {
            _id: string;
            asset: string;
            books: components["schemas"]["Decimal"];
            day: string;
            movements: string[];
            order?: string | null;
            provider: string;
            stated: string;
            /** @enum {string} */
            why: "MISSING" | "ALONE" | "TWICE" | "AMOUNT" | "LATE" | "RESTATED";
        };
        HouseDifferenceViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["HouseDifferenceView"][];
            total: number;
        };
        HouseView: {
            accepted: components["schemas"]["Decimal"];
            agreedAt: string;
            asset: string;
            books: components["schemas"]["Decimal"];
            checkedAt: string;
            difference: components["schemas"]["Decimal"];
            halted: string;
            halts: string;
            high: components["schemas"]["Decimal"];
            inRow: number;
            low: components["schemas"]["Decimal"];
            note: string;
            outside: components["schemas"]["Decimal"];
            point: string;
            /** @enum {string} */
            state: "AGREES" | "ACCEPTED" | "SHORT" | "EXCESS" | "UNKNOWN";
            subject: string;
        };
        HouseViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["HouseView"][];
            total: number;
        };
        IdvApplicantView: {
            applicantId: string;
            externalUserId: string;
            levelName: string;
            /** @enum {string} */
            status: "INIT" | "PENDING" | "PRECHECKED" | "QUEUED" | "ON_HOLD" | "COMPLETED";
            /** @enum {string} */
            type: "user" | "organisation";
        };
        IdvFixedInfoInput: {
            companyName?: string | null;
            country?: string | null;
            dob?: string | null;
            firstName?: string | null;
            lastName?: string | null;
            middleName?: string | null;
            nationality?: string | null;
            placeOfBirth?: string | null;
            registrationNumber?: string | null;
        };
        IdvInfoView: {
            applicantId: string;
            externalUserId: string;
            levelName: string;
            moderationComment: string;
            /** @enum {string} */
            onboardingStatus: "PENDING" | "SUBMITTED" | "APPROVED" | "REJECTED";
            rejectLabels: string[];
            /** @enum {string|null} */
            rejectType: "RETRY" | "FINAL" | null;
            retryAllowed: boolean;
            /** @enum {string|null} */
            reviewAnswer: "GREEN" | "RED" | null;
            /** @enum {string} */
            reviewStatus: "init" | "pending" | "prechecked" | "queued" | "completed" | "onHold";
            statusInfo: string;
            /** @enum {string} */
            type: "user" | "organisation";
            updatedAt: string;
        };
        IdvTokenView: {
            expiresAt: string;
            levelName: string;
            token: string;
            url: string | null;
            userId: string;
        };
        IntakeColumnView: {
            column: string;
            heading?: string | null;
        };
        IntakeFaultView: {
            code: string;
            column: string;
            message: string;
        };
        IntakeRowView: {
            amount?: components["schemas"]["Decimal"] | null;
            bankAccount?: string | null;
            cells: string[];
            currencyIsoCode?: string | null;
            faults: components["schemas"]["IntakeFaultView"][];
            line: number;
            makes: ("RECEIVER" | "BANK_ACCOUNT" | "PAYMENT")[];
            name?: string | null;
            otherName?: string | null;
            receiver?: string | null;
            transaction?: string | null;
        };
        IntakeTableView: {
            columns: components["schemas"]["IntakeColumnView"][];
            header: boolean;
            rows: components["schemas"]["IntakeRowView"][];
            totals: components["schemas"]["IntakeTotalsView"];
        };
        IntakeTakenView: {
            rows: components["schemas"]["IntakeRowView"][];
            totals: components["schemas"]["IntakeTotalsView"];
            transactions: string[];
        };
        IntakeTotalsView: {
            bankAccounts: number;
            faulty: number;
            madeBefore: number;
            payments: number;
            receivers: number;
            transactions: number;
        };
        InviteMemberRequest: {
            email: string;
            roles?: ("viewer" | "initiator" | "approver" | "admin")[];
        };
        InvoicelinkAccountView: {
            _id: string;
            accountNumber?: string | null;
            /** @enum {string|null} */
            accountType?: "CHECKING" | "SAVINGS" | null;
            bankCountry: string;
            bankName?: string | null;
            bicSwift?: string | null;
            currencyIsoCode: string;
            iban?: string | null;
            ifscCode?: string | null;
            /** @enum {string|null} */
            proposal?: "PROPOSED" | "CONFIRMED" | "REFUSED" | null;
            routingNumber?: string | null;
            sortCode?: string | null;
        };
        InvoicelinkDocumentView: {
            contentType: string;
            documentStorageKey: string;
            fileName: string;
            size: number;
        };
        InvoicelinkGivenView: {
            _id: string;
            bankCountry?: string | null;
            bankName?: string | null;
            currencyIsoCode?: string | null;
            ending: string;
            network?: string | null;
            /** @enum {string} */
            status: "KEPT" | "PROPOSED" | "CONFIRMED" | "REFUSED";
        };
        InvoicelinkInfoView: {
            bankAccount?: components["schemas"]["InvoicelinkGivenView"] | null;
            documents: components["schemas"]["InvoicelinkDocumentView"][];
            email: string;
            expiresAt: string;
            invoice?: components["schemas"]["InvoicelinkInvoiceView"] | null;
            isExistingReceiver: boolean;
            organisation: components["schemas"]["InvoicelinkOrganisationView"];
            paidAt?: string | null;
            /** @enum {string|null} */
            progress?: "RECEIVED" | "IN_REVIEW" | "APPROVED" | "PAID" | "DECLINED" | null;
            requested: components["schemas"]["InvoicelinkRequested"];
            /** @enum {string} */
            status: "OPEN" | "SUBMITTED" | "USED";
            steps: components["schemas"]["InvoicelinkStepsView"];
            wallet?: components["schemas"]["InvoicelinkGivenView"] | null;
        };
        InvoicelinkInvoiceView: {
            amount: components["schemas"]["Decimal"];
            currencyIsoCode?: string | null;
            documentStorageKey?: string | null;
            dueDate?: string | null;
            invoiceNumber?: string | null;
            reason: string;
            tokenIsoCode?: string | null;
        };
        InvoicelinkMadeView: {
            email: string;
            expiresAt: string;
            link: string;
            tokenId: string;
        };
        InvoicelinkOrganisationView: {
            logo?: string | null;
            name: string;
        };
        InvoicelinkReceiverIDView: {
            receiverId: string;
        };
        InvoicelinkReceiverView: {
            address: components["schemas"]["ReceiverAddressView"];
            countryIsoCode: string;
            dateOfBirth?: string | null;
            email: string;
            name: string;
            phoneNumber?: string | null;
            taxId?: string | null;
            /** @enum {string} */
            type: "INDIVIDUAL" | "COMPANY";
        };
        InvoicelinkRequested: {
            amount?: components["schemas"]["Decimal"] | null;
            currencyIsoCode?: string | null;
            reason?: string | null;
        };
        InvoicelinkStepsView: {
            bankAccount: boolean;
            invoice: boolean;
            receiver: boolean;
            wallet: boolean;
        };
        InvoicelinkSubmittedAtView: {
            reference: string;
            submittedAt: string;
        };
        InvoicelinkSubmittedView: {
            bankAccount?: components["schemas"]["InvoicelinkAccountView"] | null;
            documents: components["schemas"]["InvoicelinkDocumentView"][];
            invoice?: components["schemas"]["InvoicelinkInvoiceView"] | null;
            receiver?: components["schemas"]["InvoicelinkReceiverView"] | null;
            wallet?: components["schemas"]["InvoicelinkWalletView"] | null;
        };
        InvoicelinkValidView: {
            expiresAt?: string | null;
            valid: boolean;
        };
        InvoicelinkView: {
            _id: string;
            allowedActions: string[];
            createdAt: string;
            createdBy: string;
            email: string;
            expiresAt: string;
            isExistingReceiver: boolean;
            mailedAt: string;
            /** @enum {string|null} */
            mailProblem?: "ADDRESS_UNKNOWN" | "MAILBOX_CLOSED" | "MAILBOX_FULL" | "NOT_TAKEN" | null;
            mails: number;
            otherAddress: boolean;
            payableId?: string | null;
            receiverId: string;
            requested: components["schemas"]["InvoicelinkRequested"];
            /** @enum {string} */
            status: "OPEN" | "SUBMITTED" | "USED" | "REVOKED" | "EXPIRED";
            steps: components["schemas"]["InvoicelinkStepsView"];
            submitted: components["schemas"]["InvoicelinkSubmittedView"];
            submittedAt?: string | null;
            updatedAt: string;
            version: number;
            warnings: string[];
        };
        InvoicelinkViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["InvoicelinkView"][];
            total: number;
        };
        InvoicelinkWalletView: {
            _id: string;
            address: string;
            network: string;
            /** @enum {string|null} */
            proposal?: "PROPOSED" | "CONFIRMED" | "REFUSED" | null;
            /** @enum {string} */
            type: "EOA" | "MULTISIG";
        };
        JoinOrganisationRequest: {
            invitationToken: string;
        };
        LoginPasskeyRequest: {
            credential: {
                [key: string]: unknown;
            };
        };
        LoginRequest: {
            email: string;
            password: string;
        };
        LoginSecondFactorRequest: {
            code?: string | null;
            passkey?: {
                [key: string]: unknown;
            } | null;
            tempToken: string;
        };
        NetworkChangeBody: {
            amlProviderName?: string | null;
            blockExplorerUrl?: string | null;
            blockTime?: number;
            chainId?: number;
            contracts?: {
                [key: string]: string;
            } | null;
            features?: ("LOANS" | "PAYABLES" | "ONRAMP" | "C2C" | "C2F" | "BATCH" | "SWEEP")[];
            finality?: components["schemas"]["NetworkFinalityInput"];
            internalRpcUrl?: string | null;
            isClientVisible?: boolean;
            isTestnet?: boolean;
            maxFeePerGasWei?: string | null;
            minTransactionFee?: number;
            multisigChainPrefix?: string | null;
            name?: string;
            nativeCurrency?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            rpcUrl?: string | null;
            screenOnScreeningProvider?: boolean;
            stuckAfterSeconds?: number;
            type?: string;
            walletAddress?: string | null;
            wsRpcUrl?: string | null;
        };
        NetworkCreateBody: {
            amlProviderName?: string | null;
            blockExplorerUrl?: string | null;
            blockTime?: number | null;
            chainId?: number | null;
            contracts?: {
                [key: string]: string;
            } | null;
            features?: ("LOANS" | "PAYABLES" | "ONRAMP" | "C2C" | "C2F" | "BATCH" | "SWEEP")[];
            finality?: components["schemas"]["NetworkFinalityInput"] | null;
            internalRpcUrl?: string | null;
            isClientVisible?: boolean | null;
            isTestnet?: boolean | null;
            maxFeePerGasWei?: string | null;
            minTransactionFee?: number | null;
            multisigChainPrefix?: string | null;
            name: string;
            nativeCurrency?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            rpcUrl?: string | null;
            screenOnScreeningProvider?: boolean | null;
            stuckAfterSeconds?: number | null;
            type: string;
            walletAddress?: string | null;
            wsRpcUrl?: string | null;
        };
        NetworkEmbedded: {
            _id: string;
            amlProviderName?: string | null;
            blockExplorerUrl?: string | null;
            blockTime: number;
            chainId?: number | null;
            contracts: {
                [key: string]: string;
            };
            createdAt: string;
            features: string[];
            finality: components["schemas"]["NetworkFinality"];
            isClientVisible: boolean;
            isTestnet: boolean;
            maxFeePerGasWei?: string | null;
            minTransactionFee: number;
            multisigChainPrefix?: string | null;
            name: string;
            nativeCurrency: components["schemas"]["RecordCoded"] | null;
            pendingApproval?: string | null;
            rpcUrl?: string | null;
            screenOnScreeningProvider: boolean;
            stuckAfterSeconds: number;
            type: string;
            updatedAt: string;
            version: number;
            walletAddress?: string | null;
            wsRpcUrl?: string | null;
        };
        NetworkFinality: {
            depth?: number | null;
            /** @enum {string|null} */
            tag?: "finalized" | "safe" | null;
        };
        NetworkFinalityInput: {
            depth?: number | null;
            /** @enum {string|null} */
            tag?: "finalized" | "safe" | null;
        };
        NetworkView: {
            _id: string;
            amlProviderName?: string | null;
            blockExplorerUrl?: string | null;
            blockTime: number;
            chainId?: number | null;
            contracts: {
                [key: string]: string;
            };
            createdAt: string;
            features: string[];
            finality: components["schemas"]["NetworkFinality"];
            isClientVisible: boolean;
            isTestnet: boolean;
            maxFeePerGasWei?: string | null;
            minTransactionFee: number;
            multisigChainPrefix?: string | null;
            name: string;
            nativeCurrency: components["schemas"]["RecordToken"] | null;
            pendingApproval?: string | null;
            rpcUrl?: string | null;
            screenOnScreeningProvider: boolean;
            stuckAfterSeconds: number;
            /** @enum {string} */
            type: "evm" | "tron" | "solana" | "stellar" | "bitcoin";
            updatedAt: string;
            version: number;
            walletAddress?: string | null;
            wsRpcUrl?: string | null;
        };
        NetworkViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["NetworkView"][];
            total: number;
        };
        OfferPasskeyRequest: {
            password?: string | null;
        };
        OpenBookkeepingRequest: {
            amount?: components["schemas"]["Decimal"] | null;
            currency?: string | null;
            on: string;
            reason: string;
            token?: string | null;
            wallet?: string | null;
        };
        OrganisationAcceptRule: {
            above?: string | null;
            currency?: string | null;
            people: number;
            /** @enum {string|null} */
            type?: "" | "FIAT" | "CRYPTO" | null;
        };
        OrganisationAcceptRuleInput: {
            above?: string | null;
            currency?: string | null;
            people: number;
            /** @enum {string|null} */
            type?: "" | "FIAT" | "CRYPTO" | null;
        };
        OrganisationAddress: {
            addressLine1: string;
            city: string;
            postCode: string;
        };
        OrganisationAddressInput: {
            addressLine1?: string | null;
            city?: string | null;
            postCode?: string | null;
        };
        OrganisationAuditLineView: {
            _id: string;
            action: string;
            actor: string;
            createdAt: string;
            detail: string;
            object: string;
            requestId: string;
            source: string;
        };
        OrganisationAuditLineViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["OrganisationAuditLineView"][];
            total: number;
        };
        OrganisationCommissionInput: {
            isHidden?: boolean | null;
            tradingPair: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            value: number;
        };
        OrganisationCommissionView: {
            isHidden: boolean;
            organisation: string;
            tradingPair: string;
            value: number;
        };
        OrganisationDailyCap: {
            amount: components["schemas"]["Decimal"];
            token: string;
        };
        OrganisationDailyCapInput: {
            amount: components["schemas"]["Decimal"];
            token: string;
        };
        OrganisationEmbedded: {
            _id: string;
            address: components["schemas"]["OrganisationAddress"];
            comments: components["schemas"]["RecordRef"][];
            complexStructure: boolean;
            country: components["schemas"]["RecordCountryRef"] | null;
            createdAt: string;
            cumulativeAmount: components["schemas"]["Decimal"];
            customCommissions: components["schemas"]["RecordRef"][];
            dateOfBirth: string | null;
            defaultToken: components["schemas"]["RecordCoded"] | null;
            defaultWallet: components["schemas"]["RecordRef"] | null;
            documents: components["schemas"]["RecordRef"][];
            features: string[];
            firstName?: string | null;
            homeCurrency: string;
            isActive: boolean;
            isOnChainOrganisation: boolean;
            lastName?: string | null;
            members: components["schemas"]["RecordRef"][];
            minUSDPaymentAmount: components["schemas"]["Decimal"];
            name: string;
            /** @enum {string} */
            onboardingStatus: "PENDING" | "SUBMITTED" | "APPROVED" | "REJECTED";
            /** @enum {string} */
            organisationType: "Organisation" | "HNWI";
            payablesEmail?: string | null;
            quoteHeadroomPercent: string | null;
            referenceCode?: string | null;
            registrationNumber?: string | null;
            requireIdempotencyKey: boolean;
            /** @enum {string} */
            risk: "LOW" | "MEDIUM" | "HIGH" | "PROHIBITED";
            senders: components["schemas"]["RecordRef"][];
            taxId: string;
            timeZone: string;
            transactionValueLimit: components["schemas"]["Decimal"];
            updatedAt: string;
            vatId: string;
            version: number;
            wallets: components["schemas"]["RecordRef"][];
        };
        OrganisationInvitationView: {
            _id: string;
            createdAt: string;
            email: string;
            expiresAt: string;
            invitedByName: string;
            organisation: string;
            pendingApproval?: string | null;
            roles: ("viewer" | "initiator" | "approver" | "admin")[];
            token?: string | null;
        };
        OrganisationInvitationViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["OrganisationInvitationView"][];
            total: number;
        };
        OrganisationLevelView: {
            name?: string | null;
        };
        OrganisationMemberView: {
            _id: string;
            allowedActions: string[];
            applicantId?: string | null;
            createdAt: string;
            isActive: boolean;
            levelName: components["schemas"]["OrganisationLevelView"];
            /** @enum {string} */
            onboardingStatus: "PENDING" | "SUBMITTED" | "APPROVED" | "REJECTED";
            organisation: string;
            pendingApproval?: string | null;
            roles: ("viewer" | "initiator" | "approver" | "admin")[];
            standsIn?: components["schemas"]["OrganisationStandInView"] | null;
            standsInText?: string | null;
            updatedAt: string;
            user: components["schemas"]["UserEmbedded"];
            userType: string;
            version: number;
        };
        OrganisationMemberViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["OrganisationMemberView"][];
            total: number;
        };
        OrganisationPolicyLimit: {
            amount: components["schemas"]["Decimal"];
            currency: string;
        };
        OrganisationPolicyLimitInput: {
            amount: components["schemas"]["Decimal"];
            currency: string;
        };
        OrganisationPolicyView: {
            acceptRules: components["schemas"]["OrganisationAcceptRule"][];
            dailyCaps: components["schemas"]["OrganisationDailyCap"][];
            fourEyes: boolean;
            fourEyesLimits: components["schemas"]["OrganisationPolicyLimit"][];
            payeeApproval: boolean;
            payeeDelayHours: number;
            pendingApproval?: string | null;
            sentences: components["schemas"]["OrganisationSentence"][];
            signedIntents: boolean;
            version: number;
        };
        OrganisationSender: {
            _id: string;
            accountNumber?: string | null;
            bankName: string;
            country: string;
            iban?: string | null;
            isVerified: boolean;
            name: string;
        };
        OrganisationSendersInfoView: {
            /** @enum {string} */
            policy: "OWN_ACCOUNTS_ONLY";
            senders: components["schemas"]["OrganisationSender"][];
        };
        OrganisationSentence: {
            holds: boolean;
            /** @enum {string} */
            rule: "FOUR_EYES" | "PAYEE_APPROVAL" | "PAYEE_DELAY" | "SIGNED_INTENTS" | "DAILY_CAPS" | "ACCEPT_RULES";
            text: string;
        };
        OrganisationStandInView: {
            from: string;
            member: string;
            until: string;
        };
        OrganisationStandInViewInput: {
            from: string;
            member: string;
            until: string;
        };
        OrganisationView: {
            _id: string;
            address: components["schemas"]["OrganisationAddress"];
            allowedActions: string[];
            comments: components["schemas"]["CommentView"][];
            complexStructure: boolean;
            country: components["schemas"]["RecordCountry"] | null;
            createdAt: string;
            cumulativeAmount: components["schemas"]["Decimal"];
            customCommissions: components["schemas"]["OrganisationCommissionView"][];
            dateOfBirth: string | null;
            defaultToken: components["schemas"]["RecordToken"] | null;
            defaultWallet: components["schemas"]["RecordWallet"] | null;
            documents: string[];
            features: string[];
            firstName?: string | null;
            homeCurrency: string;
            isActive: boolean;
            isOnChainOrganisation: boolean;
            lastName?: string | null;
            members: components["schemas"]["OrganisationMemberView"][];
            minUSDPaymentAmount: components["schemas"]["Decimal"];
            name: string;
            /** @enum {string} */
            onboardingStatus: "PENDING" | "SUBMITTED" | "APPROVED" | "REJECTED";
            /** @enum {string} */
            organisationType: "Organisation" | "HNWI";
            payablesEmail?: string | null;
            quoteHeadroomPercent: string | null;
            referenceCode?: string | null;
            registrationNumber?: string | null;
            requireIdempotencyKey: boolean;
            /** @enum {string} */
            risk: "LOW" | "MEDIUM" | "HIGH" | "PROHIBITED";
            senders: components["schemas"]["OrganisationSender"][];
            taxId: string;
            timeZone: string;
            transactionValueLimit: components["schemas"]["Decimal"];
            updatedAt: string;
            vatId: string;
            version: number;
            wallets: components["schemas"]["RecordWallet"][];
        };
        OrganisationViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["OrganisationView"][];
            total: number;
        };
        OverviewClassView: {
            transactions: number;
            withinSeconds: number | null;
        };
        OverviewDayView: {
            amount: components["schemas"]["Decimal"];
            day: string;
            payments: number;
        };
        OverviewDueView: {
            currency: string;
            days: components["schemas"]["OverviewDayView"][];
            overdue: components["schemas"]["OverviewSumView"];
        };
        OverviewPaidView: {
            currency: string;
            weeks: components["schemas"]["OverviewWeekView"][];
        };
        OverviewPayables: {
            approved: number;
            draft: number;
            myApproval: number;
            reserved: number;
        };
        OverviewSettledView: {
            classes: components["schemas"]["OverviewClassView"][];
            halfWithinSeconds: number | null;
            transactions: number;
        };
        OverviewStepView: {
            done: boolean;
            /** @enum {string} */
            step: "SECOND_FACTOR" | "ORGANISATION_VERIFIED" | "PERSON_VERIFIED" | "SECOND_PERSON" | "WALLET_PROVEN" | "PAYEE" | "FIRST_PAYMENT";
        };
        OverviewSumView: {
            amount: components["schemas"]["Decimal"];
            payments: number;
        };
        OverviewView: {
            due: components["schemas"]["OverviewDueView"][];
            dueComplete: boolean;
            paid: components["schemas"]["OverviewPaidView"][];
            paidAsOf: string;
            settled: components["schemas"]["OverviewSettledView"];
            steps: components["schemas"]["OverviewStepView"][];
            waiting: components["schemas"]["OverviewWaiting"];
        };
        OverviewWaiting: {
            approvals: number;
            deposits: number;
            invoices: number;
            myApprovals: number;
            myTransactions: number;
            oldestAt: string | null;
            payables: components["schemas"]["OverviewPayables"];
            schedules: number;
            transactions: number;
            walletsToProve: number;
        };
        OverviewWeekView: {
            amount: components["schemas"]["Decimal"];
            payments: number;
            week: string;
        };
        PauseRailRequest: {
            paused: boolean;
            reason?: string | null;
        };
        PayableApprovalView: {
            at: string;
            by: string;
            comment?: string | null;
            endedAt?: string | null;
            why?: string | null;
        };
        PayableBatchView: {
            approved: number;
            refused: number;
            results: components["schemas"]["PayableOutcomeView"][];
        };
        PayableCountsView: {
            APPROVED: number;
            DRAFT: number;
            PAID: number;
            REJECTED: number;
            total: number;
        };
        PayableDocumentView: {
            contentType: string;
            documentStorageKey: string;
            fileName: string;
            sha256: string;
            size: number;
            url: string;
        };
        PayableEditInput: {
            amount?: components["schemas"]["Decimal"];
            bankAccount?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            currencyIsoCode?: string | null;
            documentStorageKey?: string | null;
            expectedPaymentDate?: string | null;
            instructions?: string | null;
            invoiceNumber?: string | null;
            name?: string;
            reason?: string;
            receiver?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            reference?: string | null;
            tokenIsoCode?: string | null;
            /** @enum {string} */
            type?: "FIAT" | "CRYPTO";
            wallet?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
        };
        PayableInput: {
            amount: components["schemas"]["Decimal"];
            bankAccount?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            currencyIsoCode?: string | null;
            documentStorageKey?: string | null;
            expectedPaymentDate?: string | null;
            instructions?: string | null;
            invoiceNumber?: string | null;
            name: string;
            /** @enum {string|null} */
            origin?: "MEMBER" | "QR_BILL" | "EPC_QR" | null;
            reason: string;
            receiver: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            reference?: string | null;
            /** @enum {string|null} */
            status?: "DRAFT" | null;
            tokenIsoCode?: string | null;
            /** @enum {string} */
            type: "FIAT" | "CRYPTO";
            wallet?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
        };
        PayableOutcomeView: {
            _id: string;
            error?: components["schemas"]["PayableProblemView"] | null;
            status?: string | null;
            version?: number | null;
        };
        PayablePaymentView: {
            paymentId: string;
            /** @enum {string} */
            settlementStatus: "IDLE" | "QUOTED" | "FUNDS_PULLING" | "FUNDS_RECEIVED" | "CONVERTED" | "SENT_TO_BANK" | "AWAITING_DEPOSIT" | "DEPOSIT_MISMATCH" | "TOKENS_SENT" | "SETTLED" | "ON_HOLD" | "UNCERTAIN" | "RETURNED" | "REFUND_IN_FLIGHT" | "REFUNDED" | "REFUND_FAILED";
            status: string;
            statusInfo?: string | null;
            transactionId: string;
            /** @enum {string} */
            transactionStatus: "DRAFT" | "WAITING_ACCEPTANCE" | "PROCESSING" | "RELEASED" | "COMPLETED" | "FAILED" | "REJECTED_BY_PLATFORM";
        };
        PayableProblemView: {
            code: string;
            message: string;
        };
        PayableRejectionView: {
            at: string;
            by: string;
            reason: string;
        };
        PayableView: {
            _id: string;
            allowedActions: string[];
            amount: components["schemas"]["Decimal"];
            approvals: components["schemas"]["PayableApprovalView"][];
            bankAccount?: string | null;
            comments: components["schemas"]["CommentView"][];
            createdAt: string;
            createdBy: string;
            currencyIsoCode?: string | null;
            document?: components["schemas"]["PayableDocumentView"] | null;
            documentStorageKey?: string | null;
            expectedPaymentDate?: string | null;
            instructions?: string | null;
            invoiceLink?: string | null;
            invoiceNumber?: string | null;
            name: string;
            /** @enum {string} */
            origin: "MEMBER" | "LINK" | "QR_BILL" | "EPC_QR";
            paidAt?: string | null;
            payment?: components["schemas"]["PayablePaymentView"] | null;
            reason: string;
            receiver: string;
            reference?: string | null;
            rejection?: components["schemas"]["PayableRejectionView"] | null;
            /** @enum {string} */
            status: "DRAFT" | "APPROVED" | "REJECTED" | "PAID";
            tokenIsoCode?: string | null;
            /** @enum {string} */
            type: "FIAT" | "CRYPTO";
            updatedAt: string;
            version: number;
            wallet?: string | null;
            warnings: components["schemas"]["PayableWarningView"][];
        };
        PayableViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["PayableView"][];
            total: number;
        };
        PayableWarningView: {
            /** @enum {string} */
            code: "POSSIBLE_DUPLICATE" | "DUPLICATE_DOCUMENT" | "PAYMENT_RETURNED" | "SAME_EMAIL" | "SAME_NAME" | "NAME_MIXED" | "OTHER_ADDRESS" | "OTHER_COUNTRY" | "OTHER_RECEIVERS_ACCOUNT" | "REPLACED" | "OTHER_AMOUNT" | "WALLET_UNPROVEN";
            message: string;
            payables: string[];
        };
        PayPayablesRequest: {
            payableIds: string[];
            /** @enum {string|null} */
            token?: "USDT" | "USDC" | "DAI" | null;
        };
        PlaceTokenRequest: {
            address: string;
            decimals: number;
        };
        PreferenceCategories: {
            product: boolean;
            security: boolean;
            transaction: boolean;
        };
        PreferenceView: {
            categories: components["schemas"]["PreferenceCategories"];
            /** @enum {string} */
            transactionMails: "AT_ONCE" | "MORNING" | "OFF";
            unsubscribed: boolean;
        };
        Problem: {
            code: string;
            detail: string;
            errors?: components["schemas"]["FieldProblem"][];
            instance: string;
            message: string;
            requestId: string;
            status: number;
            title: string;
            type: string;
        };
        QuoteAmountView: {
            amount: components["schemas"]["Decimal"];
            currencyIsoCode: string;
        };
        QuoteExpiredView: {
            fees?: components["schemas"]["QuoteFeeView"][];
            newRate?: components["schemas"]["Decimal"];
            previousRate?: components["schemas"]["Decimal"];
            quote?: components["schemas"]["QuoteView"];
            rates?: components["schemas"]["QuoteRateChange"][];
            totals?: components["schemas"]["QuoteTotalsView"];
        };
        QuoteFeeView: {
            amount: components["schemas"]["Decimal"];
            asset: string;
            givenBack?: string | null;
            of?: string | null;
            payment: number | null;
            percent?: components["schemas"]["Decimal"] | null;
            /** @enum {string} */
            type: "NETWORK" | "BANKING" | "COMMISSION";
        };
        QuoteRateChange: {
            currencyIsoCode: string;
            newRate: components["schemas"]["Decimal"];
            previousRate: components["schemas"]["Decimal"];
        };
        QuoteRateView: {
            asOf: string;
            currencyIsoCode: string;
            rate: string;
            source: string;
        };
        QuoteTotalsView: {
            fiatIn?: components["schemas"]["QuoteAmountView"][];
            fiatOut?: components["schemas"]["QuoteAmountView"][];
            tokenCredit?: components["schemas"]["Decimal"];
            tokenDebit?: components["schemas"]["Decimal"];
        };
        QuoteView: {
            _id?: string;
            /** @enum {string} */
            commissionType: "STANDARD" | "CUSTOM" | "PARTNER";
            expiresAt: string | null;
            lockedAt: string | null;
            /** @enum {string} */
            lockedSide: "RECEIVING" | "SENDING";
            rate: string;
            rates: components["schemas"]["QuoteRateView"][];
        };
        ReceivableDecidedView: {
            amount: components["schemas"]["Decimal"];
            at: string;
            decidedBy: string;
            /** @enum {string} */
            means: "DEPOSIT" | "SET_OFF" | "WRITE_OFF";
            reason?: string | null;
        };
        ReceivableOperatorView: {
            _id: string;
            allowedActions: string[];
            amount: components["schemas"]["Decimal"];
            createdAt: string;
            currencyIsoCode: string;
            decisions: components["schemas"]["ReceivableDecidedView"][];
            houseAccount: string;
            howToPay: components["schemas"]["TransactionBankDetailsView"] | null;
            organisation: string;
            organisationName?: string | null;
            owed: string;
            parts: components["schemas"]["ReceivablePartView"][];
            reference: string;
            returns: components["schemas"]["ReceivableReturnView"][];
            settledAt: string | null;
            /** @enum {string} */
            state: "OPEN" | "SETTLED";
            transaction?: string | null;
            version: number;
        };
        ReceivableOperatorViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["ReceivableOperatorView"][];
            total: number;
        };
        ReceivablePartView: {
            amount: components["schemas"]["Decimal"];
            at: string;
            /** @enum {string} */
            means: "DEPOSIT" | "SET_OFF" | "WRITE_OFF";
            source?: string | null;
        };
        ReceivableReturnView: {
            _id: string;
            amount: components["schemas"]["Decimal"];
            transaction: string;
        };
        ReceivableView: {
            _id: string;
            amount: components["schemas"]["Decimal"];
            createdAt: string;
            currencyIsoCode: string;
            howToPay: components["schemas"]["TransactionBankDetailsView"] | null;
            organisation: string;
            owed: string;
            parts: components["schemas"]["ReceivablePartView"][];
            settledAt: string | null;
            /** @enum {string} */
            state: "OPEN" | "SETTLED";
            transaction?: string | null;
            version: number;
        };
        ReceivableViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["ReceivableView"][];
            total: number;
        };
        ReceiverAddressView: {
            addressLine1?: string | null;
            city?: string | null;
            postCode?: string | null;
        };
        ReceiverBankAccountView: {
            _id: string;
            accountNumber?: string | null;
            /** @enum {string|null} */
            accountType?: "CHECKING" | "SAVINGS" | null;
            approval?: string | null;
            bankAddress?: string | null;
            bankAddress2?: string | null;
            bankBranch?: string | null;
            bankCity?: string | null;
            bankCode?: string | null;
            bankCountry: components["schemas"]["RecordCountryRef"];
            bankEmail?: string | null;
            bankFax?: string | null;
            bankName?: string | null;
            bankPhone?: string | null;
            bankState?: string | null;
            bankWebsite?: string | null;
            bankZip?: string | null;
            bicSwift?: string | null;
            branchCode?: string | null;
            channel?: string | null;
            createdAt: string;
            currency: components["schemas"]["RecordCoded"];
            iban?: string | null;
            ibanSuiteValidation: components["schemas"]["ReceiverIBANSuiteView"];
            ifscCode?: string | null;
            intermediaryBankName?: string | null;
            intermediaryRoutingCode?: string | null;
            payableFrom?: string | null;
            paymentRails: components["schemas"]["RecordRailRef"][];
            receiver: components["schemas"]["RecordRef"];
            routingNumber?: string | null;
            sepaSupport: components["schemas"]["ReceiverSEPASupportView"];
            softDeleted: boolean;
            sortCode?: string | null;
            updatedAt: string;
            version: number;
            wireSupport: components["schemas"]["ReceiverWireSupportView"];
        };
        ReceiverChangeBody: {
            address?: string | {
                addressLine1?: string;
                city?: string;
                postCode?: string;
            } | null;
            countryIsoCode?: string | null;
            dateOfBirth?: string | null;
            email?: string;
            firstName?: string | null;
            isHidden?: boolean;
            lastName?: string | null;
            legalName?: string | null;
            middleName?: string | null;
            phoneNumber?: string | null;
            taxId?: string | null;
            /** @enum {string} */
            type?: "INDIVIDUAL" | "COMPANY";
        };
        ReceiverCreateBody: {
            address?: string | {
                addressLine1?: string;
                city?: string;
                postCode?: string;
            } | null;
            countryIsoCode?: string | null;
            dateOfBirth?: string | null;
            email: string;
            firstName?: string | null;
            isHidden?: boolean | null;
            lastName?: string | null;
            legalName?: string | null;
            middleName?: string | null;
            phoneNumber?: string | null;
            taxId?: string | null;
            /** @enum {string} */
            type: "INDIVIDUAL" | "COMPANY";
        };
        ReceiverEmbedded: {
            _id: string;
            address: components["schemas"]["ReceiverAddressView"];
            approval?: string | null;
            bankAccounts: components["schemas"]["RecordRef"][];
            bankingPartnerId?: string | null;
            bankingPartnerLinkedClientId?: string | null;
            country: components["schemas"]["RecordCountryRef"] | null;
            createdAt: string;
            dateOfBirth?: string | null;
            email: string;
            firstName?: string | null;
            isHidden: boolean;
            isSelf: boolean;
            lastName?: string | null;
            legalName?: string | null;
            middleName?: string | null;
            organisation: components["schemas"]["RecordRef"];
            owner: components["schemas"]["RecordRef"] | null;
            phoneNumber?: string | null;
            remarks: components["schemas"]["ReceiverRemarkView"][];
            taxId?: string | null;
            /** @enum {string} */
            type: "INDIVIDUAL" | "COMPANY";
            updatedAt: string;
            version: number;
            wallets: components["schemas"]["RecordRef"][];
        };
        ReceiverIBANSuiteView: {
            errorCode?: number | null;
            errorMessage?: string | null;
            verified: boolean;
            verifiedAt?: string | null;
        };
        ReceiverRemarkView: {
            /** @enum {string} */
            code: "NAME_UNWRITABLE" | "NAME_MIXED";
            message: string;
            pointer: string;
            proposal?: string | null;
        };
        ReceiverSEPASupportView: {
            /** @enum {string|null} */
            b2b?: "YES" | "NO" | null;
            /** @enum {string|null} */
            cor1?: "YES" | "NO" | null;
            /** @enum {string|null} */
            scc?: "YES" | "NO" | null;
            /** @enum {string|null} */
            sci?: "YES" | "NO" | null;
            /** @enum {string|null} */
            sciTips?: "YES" | "NO" | null;
            /** @enum {string|null} */
            sct?: "YES" | "NO" | null;
            /** @enum {string|null} */
            sdd?: "YES" | "NO" | null;
        };
        ReceiverView: {
            _id: string;
            address: components["schemas"]["ReceiverAddressView"];
            allowedActions: string[];
            approval?: string | null;
            bankAccounts: components["schemas"]["ReceiverBankAccountView"][];
            bankingPartnerId?: string | null;
            bankingPartnerLinkedClientId?: string | null;
            country: components["schemas"]["RecordCountry"] | null;
            createdAt: string;
            dateOfBirth?: string | null;
            email: string;
            firstName?: string | null;
            isHidden: boolean;
            isSelf: boolean;
            lastName?: string | null;
            legalName?: string | null;
            middleName?: string | null;
            organisation: components["schemas"]["OrganisationEmbedded"];
            owner: components["schemas"]["UserEmbedded"] | null;
            phoneNumber?: string | null;
            remarks: components["schemas"]["ReceiverRemarkView"][];
            taxId?: string | null;
            /** @enum {string} */
            type: "INDIVIDUAL" | "COMPANY";
            updatedAt: string;
            version: number;
            wallets: components["schemas"]["RecordWallet"][];
        };
        ReceiverViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["ReceiverView"][];
            total: number;
        };
        ReceiverWireSupportView: {
            /** @enum {string|null} */
            ach?: "YES" | "NO" | null;
            /** @enum {string|null} */
            fed?: "YES" | "NO" | null;
        };
        ReconcileCandidateView: {
            agrees: ("REFERENCE" | "AMOUNT" | "CURRENCY" | "ACCOUNT" | "SENDER" | "TIME")[];
            amount: components["schemas"]["Decimal"];
            currencyIsoCode: string;
            differs: ("REFERENCE" | "AMOUNT" | "CURRENCY" | "ACCOUNT" | "SENDER" | "TIME")[];
            expiresAt?: string | null;
            isAssignable: boolean;
            missing: components["schemas"]["Decimal"];
            organisation: string;
            organisationName?: string | null;
            reference?: string | null;
            status: string;
            transaction: string;
            why?: string | null;
        };
        ReconcileClaimView: {
            payout: string;
            why: string;
        };
        ReconcileDepositView: {
            _id: string;
            allowedActions: string[];
            amount: components["schemas"]["Decimal"];
            bankReference?: string | null;
            bookedOn: string;
            claim?: components["schemas"]["ReconcileClaimView"] | null;
            createdAt: string;
            currencyIsoCode: string;
            decidedBy?: string | null;
            decidedByName?: string | null;
            houseAccount: string;
            note?: string | null;
            organisation?: string | null;
            proposal?: components["schemas"]["ReconcileProposalView"] | null;
            /** @enum {string|null} */
            reason?: "RETURN_NOT_PROVEN" | "NO_REFERENCE" | "UNKNOWN_REFERENCE" | "SEVERAL_REFERENCES" | "NOT_AWAITED" | "OTHER_ACCOUNT" | "OTHER_CURRENCY" | "AMOUNT_UNDER" | "AMOUNT_OVER" | "OTHER_SENDER" | "ORGANISATION_BLOCKED" | "REFUND_REFUSED" | null;
            references: string[];
            senderAccount?: string | null;
            senderBank?: string | null;
            senderName?: string | null;
            /** @enum {string} */
            state: "NEW" | "MATCHED" | "SUSPENSE" | "ASSIGNED" | "HELD" | "REFUNDING" | "REFUNDED" | "REVERSED" | "WITHDRAWN" | "RETURN" | "SETTLED";
            texts: string[];
            transaction?: string | null;
            updatedAt: string;
            version: number;
        };
        ReconcileDepositViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["ReconcileDepositView"][];
            total: number;
        };
        ReconcileDetailView: {
            _id: string;
            allowedActions: string[];
            amount: components["schemas"]["Decimal"];
            bankReference?: string | null;
            bookedOn: string;
            candidates: components["schemas"]["ReconcileCandidateView"][];
            claim?: components["schemas"]["ReconcileClaimView"] | null;
            createdAt: string;
            currencyIsoCode: string;
            decidedBy?: string | null;
            decidedByName?: string | null;
            houseAccount: string;
            note?: string | null;
            organisation?: string | null;
            owed: components["schemas"]["ReconcileOwedView"][];
            proposal?: components["schemas"]["ReconcileProposalView"] | null;
            /** @enum {string|null} */
            reason?: "RETURN_NOT_PROVEN" | "NO_REFERENCE" | "UNKNOWN_REFERENCE" | "SEVERAL_REFERENCES" | "NOT_AWAITED" | "OTHER_ACCOUNT" | "OTHER_CURRENCY" | "AMOUNT_UNDER" | "AMOUNT_OVER" | "OTHER_SENDER" | "ORGANISATION_BLOCKED" | "REFUND_REFUSED" | null;
            references: string[];
            senderAccount?: string | null;
            senderBank?: string | null;
            senderName?: string | null;
            /** @enum {string} */
            state: "NEW" | "MATCHED" | "SUSPENSE" | "ASSIGNED" | "HELD" | "REFUNDING" | "REFUNDED" | "REVERSED" | "WITHDRAWN" | "RETURN" | "SETTLED";
            texts: string[];
            transaction?: string | null;
            updatedAt: string;
            version: number;
        };
        ReconcileOwedView: {
            currencyIsoCode: string;
            isPayable: boolean;
            organisation: string;
            organisationName?: string | null;
            owed: string;
            receivable: string;
            reference: string;
            why?: string | null;
        };
        ReconcileProposalView: {
            /** @enum {string} */
            action: "ASSIGN" | "REFUND" | "HOLD" | "RETURN" | "SETTLE";
            by: string;
            byName?: string | null;
            payout?: string | null;
            receivable?: string | null;
            transaction?: string | null;
        };
        RecordCoded: {
            _id: string;
            isoCode: string;
            name: string;
        };
        RecordCountry: {
            _id: string;
            allowedPaymentRails: components["schemas"]["RecordRailRef"][];
            continent: string;
            iban: boolean;
            isoCode3166: string;
            isoCode3166_alpha3: string;
            name: string;
        };
        RecordCountryRef: {
            _id: string;
            isoCode3166: string;
            name: string;
        };
        RecordCurrency: {
            _id: string;
            allowedPaymentRails: components["schemas"]["RecordRailRef"][];
            decimals: number;
            isHidden: boolean;
            isoCode: string;
            name: string;
            symbol: string;
        };
        RecordNamed: {
            _id: string;
            name: string;
        };
        RecordOwnership: {
            approvedAt?: string | null;
            expiresAt?: string | null;
            message?: string | null;
            signedMessage?: string | null;
            /** @enum {string} */
            status: "PENDING" | "VERIFIED" | "FAILED" | "EXPIRED" | "REVOKED";
        };
        RecordProviderMovementRequest: {
            movement: string;
            provider: string;
            reason: string;
        };
        RecordRailRef: {
            _id: string;
            display: string;
            name: string;
            rail: string;
        };
        RecordRef: {
            _id: string;
        };
        RecordToken: {
            _id: string;
            ERC20Address: components["schemas"]["RecordTokenAddress"][];
            isHidden: boolean;
            isoCode: string;
            logo: string;
            name: string;
            onrampEligible: boolean;
            stable: boolean;
            tradableInFiat: boolean;
        };
        RecordTokenAddress: {
            address: string;
            chainId: number;
            decimals: number;
            network: string;
        };
        RecordTokenList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["RecordToken"][];
            total: number;
        };
        RecordTreasuryMovementRequest: {
            network: string;
            reason: string;
            transactionHash: string;
        };
        RecordWallet: {
            _id: string;
            address: string;
            approval?: string | null;
            createdAt: string;
            network: components["schemas"]["RecordNamed"];
            ownership: components["schemas"]["RecordOwnership"];
            payableFrom?: string | null;
            receiver: components["schemas"]["RecordRef"];
            screeningAnalysisId?: string | null;
            screeningErrMessage?: string | null;
            softDeleted: boolean;
            /** @enum {string} */
            type: "EOA" | "MULTISIG";
            updatedAt: string;
            version: number;
            /** @enum {string} */
            walletAnalysisStatus: "PENDING" | "IN_PROGRESS" | "APPROVED" | "REVIEW" | "REJECTED" | "ERROR" | "EXPIRED";
        };
        RecoverUserRequest: {
            reason: string;
        };
        RefdataCountryView: {
            _id: string;
            allowedPaymentRails: components["schemas"]["RefdataPaymentRailView"][];
            continent: string;
            iban: boolean;
            isoCode3166: string;
            isoCode3166_alpha3: string;
            name: string;
        };
        RefdataCountryViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["RefdataCountryView"][];
            total: number;
        };
        RefdataCurrencyView: {
            _id: string;
            allowedPaymentRails: components["schemas"]["RefdataPaymentRailView"][];
            decimals: number;
            isHidden: boolean;
            isoCode: string;
            name: string;
            symbol: string;
        };
        RefdataCurrencyViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["RefdataCurrencyView"][];
            total: number;
        };
        RefdataField: {
            display: string;
            name: string;
            pattern?: string | null;
        };
        RefdataPaymentRailView: {
            _id: string;
            display: string;
            isEnabled: boolean;
            name: string;
            priority: number;
            rail: string;
            requiredFields: components["schemas"]["RefdataField"][];
        };
        RefdataPaymentRailViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["RefdataPaymentRailView"][];
            total: number;
        };
        RefdataTradingPairView: {
            _id: string;
            currency: components["schemas"]["RecordCurrency"];
            isHidden: boolean;
            liquidityProviders: string[];
            pair: string;
            token: components["schemas"]["RecordToken"];
        };
        RefdataTradingPairViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["RefdataTradingPairView"][];
            total: number;
        };
        RefuseInvoiceLinkProposalRequest: {
            proposal: string;
        };
        RegisterRequest: {
            email: string;
            firstName: string;
            lastName: string;
            password: string;
        };
        RegisterWithOrganisationRequest: {
            email: string;
            firstName: string;
            invitationToken?: string | null;
            lastName: string;
            password: string;
        };
        RejectPayableRequest: {
            reason: string;
        };
        RejectRequest: {
            comment?: string | null;
        };
        RejectTransactionRequest: {
            reason: string;
        };
        ReleaseHouseBalanceRequest: {
            reason: string;
            subject: string;
        };
        RenamePasskeyRequest: {
            name: string;
        };
        ReopenBookkeepingPeriodRequest: {
            reason: string;
        };
        ReopenPayableRequest: {
            reason?: string | null;
        };
        ReplayWebhookEventsRequest: {
            from: string;
            onlyFailed?: boolean | null;
            preview?: boolean | null;
            to: string;
        };
        ResetPasswordRequest: {
            newPassword: string;
            newPasswordToken: string;
        };
        ReviewCaseView: {
            _id: string;
            allowedActions: string[];
            basis: number;
            checklist: components["schemas"]["ReviewPointView"][];
            comment: string;
            comments: components["schemas"]["ReviewCommentView"][];
            decidedAt: string | null;
            decidedBy: string;
            decidedByName?: string | null;
            documents: components["schemas"]["ReviewDocumentView"][];
            form: {
                [key: string]: string;
            };
            levelName: string;
            proposal: string;
            proposedBy: string;
            proposedByName?: string | null;
            proposedComment: string;
            retryAllowed: boolean;
            screening: string;
            /** @enum {string} */
            status: "OPEN" | "SUBMITTED" | "APPROVED" | "REJECTED";
            subject: string;
            submittedAt: string | null;
            /** @enum {string} */
            type: "user" | "organisation";
            updatedAt: string;
        };
        ReviewCommentView: {
            author: string;
            authorName?: string | null;
            comment: string;
            createdAt: string;
        };
        ReviewDocumentView: {
            createdAt: string;
            documentStorageKey: string;
            kind: string;
        };
        ReviewListedView: {
            _id: string;
            allowedActions: string[];
            decidedAt: string | null;
            levelName: string;
            proposal: string;
            proposedBy: string;
            proposedByName?: string | null;
            screening: string;
            /** @enum {string} */
            status: "OPEN" | "SUBMITTED" | "APPROVED" | "REJECTED";
            subject: string;
            submittedAt: string | null;
            /** @enum {string} */
            type: "user" | "organisation";
            updatedAt: string;
        };
        ReviewListedViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["ReviewListedView"][];
            total: number;
        };
        ReviewPointView: {
            at: string | null;
            by: string;
            byName?: string | null;
            done: boolean;
            point: string;
        };
        RevokeAPIKeyRequest: {
            clientId?: string | null;
        };
        RevokeWalletRequest: {
            reason: string;
        };
        RotateWebhookSecretRequest: {
            overlapHours?: number | null;
        };
        SafeContent: {
            message: string;
        };
        SafeField: {
            name: string;
            type: string;
        };
        SafeMessageTypes: {
            EIP712Domain: components["schemas"]["SafeField"][];
            SafeMessage: components["schemas"]["SafeField"][];
        };
        SafetxAccountView: {
            domainHash: string;
            fallbackHandler?: string | null;
            guard?: string | null;
            modules: string[];
            nonce: string;
            owners: string[];
            ownershipMessage: components["schemas"]["SafetxMessageView"] | null;
            safe: string;
            safeVersion: string;
            singleton: string;
            threshold: number;
        };
        SafetxBuilderCallView: {
            data: string;
            to: string;
            value: string;
        };
        SafetxBuilderMeta: {
            createdFromSafeAddress: string;
            description: string;
            name: string;
        };
        SafetxBuilderView: {
            chainId: string;
            createdAt: number;
            meta: components["schemas"]["SafetxBuilderMeta"];
            transactions: components["schemas"]["SafetxBuilderCallView"][];
            version: string;
        };
        SafetxConfirmationView: {
            confirmedAt: string;
            /** @enum {string} */
            kind: "ECDSA" | "ETH_SIGN" | "APPROVED_HASH" | "CONTRACT";
            owner: string;
            /** @enum {string} */
            source: "API" | "SERVICE";
        };
        SafetxConflictView: {
            safeTxHash: string;
            transaction: string;
        };
        SafetxExecutionView: {
            data: string;
            to: string;
            value: string;
        };
        SafeTxMessage: {
            baseGas: string;
            data: string;
            gasPrice: string;
            gasToken: string;
            nonce: string;
            operation: string;
            refundReceiver: string;
            safeTxGas: string;
            to: string;
            value: string;
        };
        SafetxMessageView: {
            confirmedBy: string[];
            messageHash: string;
            safeMessageHash: string;
            typedData: components["schemas"]["SafeTypedMessage"];
        };
        SafeTxTypes: {
            EIP712Domain: components["schemas"]["SafeField"][];
            SafeTx: components["schemas"]["SafeField"][];
        };
        SafetxView: {
            confirmations: number;
            confirmedBy: components["schemas"]["SafetxConfirmationView"][];
            conflicts: components["schemas"]["SafetxConflictView"][];
            createdAt: string;
            domainHash: string;
            execution: components["schemas"]["SafetxExecutionView"] | null;
            messageHash: string;
            nonce: string;
            owners: string[];
            purposes: ("RESET_TO_ZERO" | "APPROVE")[];
            safe: string;
            safeTxHash: string;
            safeVersion: string;
            /** @enum {string} */
            status: "AWAITING_CONFIRMATIONS" | "AWAITING_EARLIER" | "AWAITING_EXECUTION" | "CLOSED";
            threshold: number;
            transaction: string;
            transactionBuilder: components["schemas"]["SafetxBuilderView"];
            typedData: components["schemas"]["SafeTypedTx"];
            url?: string | null;
        };
        SafetxViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["SafetxView"][];
            total: number;
        };
        SafeTypedDomain: {
            chainId?: string | null;
            verifyingContract: string;
        };
        SafeTypedMessage: {
            domain: components["schemas"]["SafeTypedDomain"];
            message: components["schemas"]["SafeContent"];
            /** @enum {string} */
            primaryType: "SafeMessage";
            types: components["schemas"]["SafeMessageTypes"];
        };
        SafeTypedTx: {
            domain: components["schemas"]["SafeTypedDomain"];
            message: components["schemas"]["SafeTxMessage"];
            /** @enum {string} */
            primaryType: "SafeTx";
            types: components["schemas"]["SafeTxTypes"];
        };
        ScheduleComingView: {
            paidOn: string;
            planned: string;
        };
        ScheduleDayView: {
            madeAt: string;
            planned: string;
            /** @enum {string} */
            state: "MADE" | "PAID" | "ASKED" | "STOPPED" | "DROPPED";
            transaction?: string | null;
            why?: string | null;
        };
        ScheduleInput: {
            amountCurrency?: string | null;
            firstDay: string;
            maxDebit?: string | null;
            network?: string | null;
            payments: components["schemas"]["TransactionPaymentInput"][];
            /** @enum {string|null} */
            repeats?: "ONCE" | "WEEKLY" | "MONTHLY" | null;
            times?: number | null;
            /** @enum {string|null} */
            token?: "USDT" | "USDC" | "DAI" | null;
            /** @enum {string} */
            type: "FIAT" | "CRYPTO" | "ONRAMP";
            until?: string | null;
            walletAddress?: string | null;
        };
        SchedulePaymentView: {
            amount: components["schemas"]["Decimal"];
            bankAccount?: string | null;
            /** @enum {string|null} */
            bankingFeesOption?: "OUR" | "SHA" | "BEN" | null;
            currencyIsoCode?: string | null;
            reason: string;
            receiver: string;
            reference?: string | null;
            wallet?: string | null;
            walletAddress?: string | null;
        };
        ScheduleView: {
            _id: string;
            acceptedAt: string | null;
            acceptedBy?: string | null;
            allowedActions: string[];
            coming: components["schemas"]["ScheduleComingView"][];
            createdAt: string;
            createdBy: string;
            days: components["schemas"]["ScheduleDayView"][];
            firstDay: string;
            maxDebit: string;
            network?: string | null;
            nextDay?: string | null;
            organisation: string;
            payees: string;
            payments: components["schemas"]["SchedulePaymentView"][];
            /** @enum {string} */
            repeats: "ONCE" | "WEEKLY" | "MONTHLY";
            /** @enum {string} */
            state: "WAITING" | "ACTIVE" | "STOPPED" | "ENDED";
            stoppedBy?: string | null;
            times?: number | null;
            token: string;
            /** @enum {string} */
            type: "FIAT" | "CRYPTO";
            until?: string | null;
            updatedAt: string;
            version: number;
            walletAddress: string;
        };
        ScheduleViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["ScheduleView"][];
            total: number;
        };
        ScreeningSource: {
            addresses: number;
            date: string;
            digest: string;
            name: string;
            names: number;
        };
        ScreeningSourceList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["ScreeningSource"][];
            total: number;
        };
        SendCompleteYourBeneficiaryAccountRequest: {
            email?: string | null;
            firstName?: string | null;
            lastName?: string | null;
            userId?: string | null;
        };
        SendCompleteYourHNWIRequest: {
            email?: string | null;
            firstName?: string | null;
            lastName?: string | null;
            userId?: string | null;
        };
        SendCompleteYourKYCEmailRequest: {
            email?: string | null;
            firstName?: string | null;
            lastName?: string | null;
            userId?: string | null;
        };
        SendUserConfirmationEmailRequest: {
            email?: string | null;
            firstName?: string | null;
            lastName?: string | null;
            userId?: string | null;
        };
        SetApprovalPolicyRequest: {
            acceptRules?: components["schemas"]["OrganisationAcceptRuleInput"][];
            dailyCaps?: components["schemas"]["OrganisationDailyCapInput"][];
            fourEyes: boolean;
            fourEyesLimits?: components["schemas"]["OrganisationPolicyLimitInput"][];
            payeeApproval: boolean;
            payeeDelayHours?: number | null;
            signedIntents?: boolean | null;
        };
        SetBookkeepingAccountsRequest: {
            accounts: components["schemas"]["BookkeepingAccountBody"][];
        };
        SetBrandRequest: {
            colour?: string | null;
            name?: string | null;
        };
        SetReturnPolicyRequest: {
            /** @enum {string} */
            policy: "RECREDIT" | "HOLD" | "RESEND";
        };
        SetSignOnRequest: {
            admitsOthers?: boolean | null;
            claim?: string | null;
            clientId: string;
            clientSecret?: string | null;
            defaultRoles?: string[];
            emergencyUsers?: string[];
            isEnabled: boolean;
            isRequired?: boolean | null;
            issuer: string;
            rules?: components["schemas"]["SsoRuleViewInput"][];
            secondFactorValues?: string[];
            vouchesForAddresses?: boolean | null;
        };
        SettlementPolicyView: {
            organisation: string;
            /** @enum {string} */
            policy: "RECREDIT" | "HOLD" | "RESEND";
        };
        SettleReturnRequest: {
            /** @enum {string} */
            action: "RESEND" | "RECREDIT";
            bankAccount?: string | null;
            payment: number;
        };
        SsoCheckView: {
            clockAheadSeconds: number;
            isReachable: boolean;
            problem: string;
        };
        SsoDomainView: {
            _id: string;
            createdAt: string;
            domain: string;
            provenAt: string | null;
            recordName: string;
            recordValue: string;
        };
        SsoLinkList: {
            data: components["schemas"]["SsoLinkView"][];
        };
        SsoLinkView: {
            _id: string;
            createdAt: string;
            email: string;
            issuer: string;
            lastUsedAt: string;
            name: string;
            subject: string;
            user: string;
        };
        SsoRuleView: {
            roles: ("viewer" | "initiator" | "approver" | "admin")[];
            value: string;
        };
        SsoRuleViewInput: {
            roles: ("viewer" | "initiator" | "approver" | "admin")[];
            value: string;
        };
        SsoTokenView: {
            token: string;
            url: string;
        };
        SsoView: {
            admitsOthers: boolean;
            claim: string;
            clientId: string;
            defaultRoles: string[];
            domains: components["schemas"]["SsoDomainView"][];
            emergencyUsers: string[];
            hasClientSecret: boolean;
            hasScimToken: boolean;
            isEnabled: boolean;
            isRequired: boolean;
            issuer: string;
            pendingApproval?: string | null;
            redirectUri: string;
            rules: components["schemas"]["SsoRuleView"][];
            scimUrl: string;
            secondFactorValues: string[];
            updatedAt: string | null;
            version: number;
            vouchesForAddresses: boolean;
        };
        StandInRequest: {
            comment: string;
            /** @enum {string} */
            decision: "APPROVED" | "REJECTED";
        };
        StatementLinkView: {
            expiresAt: string;
            fileName: string;
            sha256: string;
            url: string;
        };
        StockChangeInput: {
            fees?: components["schemas"]["StockPartInput"][];
            given?: components["schemas"]["StockPartInput"] | null;
            /** @enum {string} */
            kind: "CAPITAL_IN" | "CAPITAL_OUT" | "EXCHANGED";
            reason: string;
            received?: components["schemas"]["StockPartInput"] | null;
            reference: string;
        };
        StockPartInput: {
            amount: components["schemas"]["Decimal"];
            asset: string;
            network?: string | null;
        };
        StockPositionView: {
            asset: string;
            capital: string;
            ceiling: string | null;
            exchanged: string;
            expense: string;
            floor: string | null;
            free: string;
            place: string;
            pricedAt: string | null;
            priceUSD: string | null;
            reserved: string;
            resultUSD: string | null;
            stock: string;
            traded: string;
            valueUSD: string | null;
        };
        StockView: {
            positions: components["schemas"]["StockPositionView"][];
            resultUSD: string | null;
            valueUSD: string | null;
        };
        SubmitInvoiceRequest: {
            amount: components["schemas"]["Decimal"];
            currencyIsoCode?: string | null;
            documentStorageKey?: string | null;
            dueDate?: string | null;
            invoiceNumber?: string | null;
            reason: string;
            token: string;
            tokenIsoCode?: string | null;
        };
        TransactionAcceptanceView: {
            agreed: components["schemas"]["TransactionAgreementView"][];
            people: number;
        };
        TransactionAcceptBody: {
            intent?: components["schemas"]["TransactionIntentBody"] | null;
            permit?: components["schemas"]["TransactionSignedBody"] | null;
        };
        TransactionAgreementView: {
            at: string;
            by: string;
            for?: string | null;
        };
        TransactionAllowance: {
            allowance: components["schemas"]["Decimal"];
            approvalCalls: components["schemas"]["TransactionApprovalCall"][];
            balance: components["schemas"]["Decimal"];
            balanceMissing: components["schemas"]["Decimal"];
            headroomPercent: string;
            missing: components["schemas"]["Decimal"];
            owner: string;
            permit: components["schemas"]["TransactionPermitView"] | null;
            quote: {
                _id: string | null;
                /** @enum {string} */
                commissionType: "STANDARD" | "CUSTOM" | "PARTNER";
                expiresAt: string | null;
                lockedAt: string | null;
                /** @enum {string} */
                lockedSide: "RECEIVING" | "SENDING";
                rate: string;
                rates: components["schemas"]["QuoteRateView"][];
            } | null;
            required: components["schemas"]["Decimal"];
            safe: components["schemas"]["SafetxView"] | null;
            spender: string;
            sufficient: boolean;
            token: string;
            tokenAddress: string;
            /** @enum {string} */
            walletType: "EOA" | "MULTISIG";
        };
        TransactionAllowancesView: {
            address: string;
            allowances: components["schemas"]["TransactionOpenAllowanceView"][];
            asked: components["schemas"]["TransactionSpenderView"][];
            blockHash?: string | null;
            blockNumber: number | null;
            known: boolean;
            network: string;
            readAt: string | null;
            wallet: string;
        };
        TransactionApprovalCall: {
            amount: components["schemas"]["Decimal"];
            data: string;
            /** @enum {string} */
            purpose: "RESET_TO_ZERO" | "APPROVE";
            to: string;
            value: string;
        };
        TransactionBalancesView: {
            address: string;
            blockHash?: string | null;
            blockNumber: number | null;
            known: boolean;
            network: string;
            readAt: string | null;
            spender?: string | null;
            tokens: components["schemas"]["TransactionBalanceView"][];
            wallet: string;
        };
        TransactionBalanceView: {
            allowance: components["schemas"]["Decimal"] | null;
            available: components["schemas"]["Decimal"] | null;
            balance: components["schemas"]["Decimal"] | null;
            reserved: components["schemas"]["Decimal"];
            token: string;
            tokenAddress: string;
        };
        TransactionBankAccountView: {
            _id: string;
            accountNumber?: string | null;
            /** @enum {string|null} */
            accountType?: "CHECKING" | "SAVINGS" | null;
            bankCountry: string;
            bankName?: string | null;
            bicSwift?: string | null;
            currency: string;
            iban?: string | null;
            ifscCode?: string | null;
            routingNumber?: string | null;
            sortCode?: string | null;
        };
        TransactionBankDetailsView: {
            accountHolder: string;
            accountNumber?: string | null;
            amount: components["schemas"]["Decimal"];
            bankAddress?: string | null;
            bankCountry: string;
            bankName: string;
            bicSwift?: string | null;
            creditorReference?: string | null;
            currencyIsoCode: string;
            expiresAt: string | null;
            iban?: string | null;
            ifscCode?: string | null;
            instructions: string;
            paymentCode: components["schemas"]["TransactionPaymentCodeView"] | null;
            qrReference?: string | null;
            rail: string;
            reference: string;
            routingNumber?: string | null;
            sortCode?: string | null;
        };
        TransactionBankEffect: {
            endToEndId: string;
            info?: string | null;
            payment?: string | null;
            providerRef?: string | null;
            rail: string;
            /** @enum {string} */
            status: "PLANNED" | "FILED" | "HANDED_OVER" | "ACCEPTED" | "BOOKED" | "REJECTED" | "HELD" | "RETURNED" | "NEW" | "MATCHED" | "SUSPENSE" | "ASSIGNED" | "REFUNDING" | "REFUNDED" | "REVERSED" | "WITHDRAWN" | "RETURN" | "SETTLED";
            uetr?: string | null;
        };
        TransactionCapView: {
            decimals: number;
            limit: string | null;
            nextFrom: string | null;
            nextLimit: string | null;
            policy: string | null;
            spentToday: string | null;
            token: string;
            tokenAddress: string;
        };
        TransactionCollateralView: {
            borrowingEnabled: boolean;
            decimals: number;
            provider: string;
            supplyAPY: string;
            symbol: string;
            underlyingAsset: string;
            usageAsCollateralEnabled: boolean;
        };
        TransactionEffect: {
            blockHash?: string | null;
            blockNumber: number;
            confirmations: number;
            gasUsed: number;
            info?: string | null;
            network: string;
            nonce: number | null;
            replacedBy?: string | null;
            /** @enum {string} */
            status: "PLANNED" | "NONCED" | "SIGNED" | "SENT" | "SEEN" | "FINAL" | "REFUSED" | "HOLD" | "REPLACED";
            txHash?: string | null;
        };
        TransactionEvidenceView: {
            at: string | null;
            info?: string | null;
            /** @enum {string} */
            kind: "STATUS" | "QUOTE" | "CHAIN" | "BANK" | "RETURN";
            reference?: string | null;
            status?: string | null;
        };
        TransactionExplainView: {
            _id: string;
            decisions: components["schemas"]["TransactionWayView"][];
            evidence: components["schemas"]["TransactionEvidenceView"][];
            meaning: string;
            next: components["schemas"]["TransactionWayView"][];
            /** @enum {string} */
            settlementStatus: "IDLE" | "QUOTED" | "FUNDS_PULLING" | "FUNDS_RECEIVED" | "CONVERTED" | "SENT_TO_BANK" | "AWAITING_DEPOSIT" | "DEPOSIT_MISMATCH" | "TOKENS_SENT" | "SETTLED" | "ON_HOLD" | "UNCERTAIN" | "RETURNED" | "REFUND_IN_FLIGHT" | "REFUNDED" | "REFUND_FAILED";
            status: string;
            statusInfo?: string | null;
            type: string;
            version: number;
            waitsFor: components["schemas"]["TransactionWaitsView"];
        };
        TransactionInput: {
            amountCurrency?: string | null;
            network?: string | null;
            payments: components["schemas"]["TransactionPaymentInput"][];
            /** @enum {string|null} */
            token?: "USDT" | "USDC" | "DAI" | null;
            /** @enum {string} */
            type: "FIAT" | "CRYPTO" | "ONRAMP";
            walletAddress?: string | null;
        };
        TransactionIntentBody: {
            deadline: number;
            signature: string;
        };
        TransactionIntentView: {
            deadline: number;
            required: boolean;
            typedData: string;
        };
        TransactionInvalidView: {
            issues?: components["schemas"]["TransactionIssueView"][];
            valid?: boolean;
        };
        TransactionIssueView: {
            code: string;
            message: string;
            pointer: string;
            related: string[];
            /** @enum {string} */
            severity: "ERROR" | "WARNING";
        };
        TransactionLimitCall: {
            amount: components["schemas"]["Decimal"] | null;
            data: string;
            /** @enum {string} */
            purpose: "REQUIRE_SIGNATURES" | "END_SIGNATURES" | "SET_DAILY_CAP" | "END_DAILY_CAP";
            to: string;
            token?: string | null;
            value: string;
        };
        TransactionLimitsView: {
            address: string;
            blockHash?: string | null;
            blockNumber: number | null;
            calls: components["schemas"]["TransactionLimitCall"][];
            dailyCaps: components["schemas"]["TransactionCapView"][];
            known: boolean;
            network: string;
            readAt: string | null;
            router: string;
            signedIntents: components["schemas"]["TransactionSignedLimitView"];
            wallet: string;
        };
        TransactionListAnswer: {
            columnId: string;
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["TransactionView"][];
            total: number;
        };
        TransactionMinimumView: {
            amount: components["schemas"]["Decimal"];
            currency: string;
            perCurrency: components["schemas"]["QuoteAmountView"][];
        };
        TransactionOnrampCurrencyView: {
            _id: string;
            isoCode: string;
            minAmount?: string | null;
            name: string;
            symbol: string;
        };
        TransactionOpenAllowanceView: {
            amount: components["schemas"]["Decimal"];
            isSpenderKnown: boolean;
            revoke: components["schemas"]["TransactionApprovalCall"];
            spender: string;
            /** @enum {string} */
            spenderKind: "ROUTER" | "FORMER_ROUTER" | "PERMIT2" | "OTHER";
            token: string;
            tokenAddress: string;
        };
        TransactionOutcomeView: {
            failed: components["schemas"]["TransactionShareView"];
            givenBack: components["schemas"]["TransactionShareView"];
            paid: components["schemas"]["TransactionShareView"];
        };
        TransactionOwnCall: {
            amount: components["schemas"]["Decimal"];
            data: string;
            /** @enum {string} */
            purpose: "RESET_TO_ZERO" | "APPROVE" | "PAY";
            to: string;
            value: string;
        };
        TransactionOwnCalls: {
            calls: components["schemas"]["TransactionOwnCall"][];
            deadline: number;
        };
        TransactionPayeeVerificationView: {
            checkedAt: string;
            matchedName?: string | null;
            /** @enum {string} */
            status: "MATCHED" | "PARTIAL_MATCH" | "NOT_MATCHED" | "UNSUPPORTED" | "PENDING";
        };
        TransactionPaymentCodeView: {
            /** @enum {string} */
            kind: "EPC_QR" | "QR_BILL";
            payload: string;
            qrCodeDataUrl: string;
        };
        TransactionPaymentInput: {
            again?: string | null;
            amount: components["schemas"]["Decimal"];
            bankAccount?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @enum {string|null} */
            bankingFeesOption?: "OUR" | "SHA" | "BEN" | null;
            currencyIsoCode?: string | null;
            documentStorageKey?: string | null;
            estimatedRate?: string | null;
            expectedTransferDate?: string | null;
            instructions?: string | null;
            network?: string | null;
            reason?: string | null;
            receiver: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            });
            reference?: string | null;
            tokenIsoCode?: string | null;
            /** @enum {string} */
            type: "FIAT" | "CRYPTO" | "ONRAMP";
            wallet?: string | ({
                _id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            walletAddress?: string | null;
            /** @enum {string|null} */
            walletType?: "EOA" | "MULTISIG" | null;
        };
        TransactionPaymentView: {
            _id: string;
            again?: string | null;
            amount: components["schemas"]["Decimal"];
            bankAccount?: components["schemas"]["TransactionBankAccountView"] | null;
            /** @enum {string|null} */
            bankingFeesOption?: "OUR" | "SHA" | "BEN" | null;
            createdAt: string;
            currencyIsoCode?: string | null;
            documentStorageKey?: string | null;
            estimatedRate?: string | null;
            expectedTransferDate?: string | null;
            instructions?: string | null;
            madeAgainIn?: string | null;
            network?: string | null;
            payable?: string | null;
            payeeVerification?: components["schemas"]["TransactionPayeeVerificationView"] | null;
            reason?: string | null;
            receiver: components["schemas"]["TransactionReceiverCopy"];
            reference?: string | null;
            /** @enum {string} */
            status: "DRAFT" | "LOCKED" | "PROCESSING" | "SENT" | "COMPLETED" | "FAILED" | "RETURNED" | "REFUNDED" | "CANCELLED" | "UNKNOWN";
            statusInfo?: string | null;
            tokenAmount?: components["schemas"]["Decimal"] | null;
            tokenIsoCode?: string | null;
            /** @enum {string} */
            type: "FIAT" | "CRYPTO" | "ONRAMP";
            updatedAt: string;
            wallet?: string | null;
            walletAddress?: string | null;
            /** @enum {string|null} */
            walletType?: "EOA" | "MULTISIG" | null;
        };
        TransactionPermitView: {
            deadline: number;
            intent?: string | null;
            /** @enum {string} */
            manner: "PERMIT" | "AUTHORIZATION" | "PERMIT2";
            typedData: string;
        };
        TransactionReceiverCopy: {
            _id: string;
            address?: components["schemas"]["ReceiverAddressView"] | null;
            bankAccounts: components["schemas"]["RecordRef"][];
            bankingPartnerId: string | null;
            bankingPartnerLinkedClientId: string | null;
            country: components["schemas"]["RecordCountryRef"] | null;
            countryIsoCode?: string | null;
            dateOfBirth: string | null;
            email?: string | null;
            firstName?: string | null;
            isHidden: boolean | null;
            isSelf: boolean;
            lastName?: string | null;
            legalName?: string | null;
            middleName?: string | null;
            organisation: components["schemas"]["RecordRef"] | null;
            owner: components["schemas"]["RecordRef"] | null;
            phoneNumber: string | null;
            taxId: string | null;
            /** @enum {string} */
            type: "INDIVIDUAL" | "COMPANY";
            wallets: components["schemas"]["RecordRef"][];
        };
        TransactionRemarksView: {
            issues: components["schemas"]["TransactionIssueView"][];
        };
        TransactionReturnView: {
            amount: components["schemas"]["Decimal"];
            currencyIsoCode: string;
            feesDeducted: components["schemas"]["Decimal"];
            originalEndToEndId: string;
            payment?: string | null;
            rate?: string | null;
            /** @enum {string} */
            reason: "ACCOUNT_CLOSED" | "ACCOUNT_UNKNOWN" | "ACCOUNT_BLOCKED" | "NAME_MISMATCH" | "REFUSED_BY_BENEFICIARY" | "REGULATORY" | "DUPLICATE" | "FRAUD" | "TECHNICAL" | "NOT_SPECIFIED";
            reasonCode: string;
            receivedAt: string;
            /** @enum {string} */
            scheme: "SEPA" | "ACH" | "SWIFT" | "FPS" | "CHAPS" | "FEDWIRE" | "IMPS" | "NEFT" | "SIC";
            tokenAmount?: components["schemas"]["Decimal"] | null;
        };
        TransactionShareView: {
            count: number;
            sums: components["schemas"]["TransactionSumView"][];
        };
        TransactionSignedBody: {
            deadline: number;
            intent?: string | null;
            /** @enum {string} */
            manner: "PERMIT" | "AUTHORIZATION" | "PERMIT2";
            signature: string;
        };
        TransactionSignedLimitView: {
            endsAt: string | null;
            policy: boolean;
            required: boolean | null;
        };
        TransactionSpenderView: {
            address: string;
            /** @enum {string} */
            kind: "ROUTER" | "FORMER_ROUTER" | "PERMIT2" | "OTHER";
        };
        TransactionStepView: {
            actor?: string | null;
            at: string;
            info?: string | null;
            /** @enum {string} */
            settlementStatus: "IDLE" | "QUOTED" | "FUNDS_PULLING" | "FUNDS_RECEIVED" | "CONVERTED" | "SENT_TO_BANK" | "AWAITING_DEPOSIT" | "DEPOSIT_MISMATCH" | "TOKENS_SENT" | "SETTLED" | "ON_HOLD" | "UNCERTAIN" | "RETURNED" | "REFUND_IN_FLIGHT" | "REFUNDED" | "REFUND_FAILED";
            /** @enum {string} */
            status: "DRAFT" | "WAITING_ACCEPTANCE" | "PROCESSING" | "RELEASED" | "COMPLETED" | "FAILED" | "REJECTED_BY_PLATFORM";
            version: number;
        };
        TransactionStoppedView: {
            network: string;
            since: string | null;
        };
        TransactionSubmitBody: {
            ownUntil?: number | null;
            permit?: components["schemas"]["TransactionSignedBody"] | null;
            sender?: string | null;
        };
        TransactionSumView: {
            amount: components["schemas"]["Decimal"];
            asset: string;
        };
        TransactionTotalsView: {
            fiatIn?: components["schemas"]["QuoteAmountView"] | null;
            fiatOut?: components["schemas"]["QuoteAmountView"][];
            token: string;
            tokenCredit?: components["schemas"]["Decimal"] | null;
            tokenDebit: components["schemas"]["Decimal"];
        };
        TransactionValidateView: {
            fees: components["schemas"]["QuoteFeeView"][];
            issues: components["schemas"]["TransactionIssueView"][];
            quote: {
                _id: string | null;
                /** @enum {string} */
                commissionType: "STANDARD" | "CUSTOM" | "PARTNER";
                expiresAt: string | null;
                lockedAt: string | null;
                /** @enum {string} */
                lockedSide: "RECEIVING" | "SENDING";
                rate: string;
                rates: components["schemas"]["QuoteRateView"][];
            } | null;
            totals: components["schemas"]["TransactionTotalsView"];
            valid: boolean;
        };
        TransactionView: {
            _id: string;
            acceptance?: components["schemas"]["TransactionAcceptanceView"] | null;
            acceptedAt?: string | null;
            acceptedBy?: string | null;
            allowedActions: string[];
            amountCurrency?: string | null;
            bank?: components["schemas"]["TransactionBankEffect"][];
            borrowTokenAmount: string | null;
            borrowTokenAmountInUSD: string | null;
            chain: components["schemas"]["TransactionEffect"][];
            collateralAmount: string | null;
            collateralAmountInUSD: string | null;
            collateralToken: components["schemas"]["TransactionCollateralView"] | null;
            comments: components["schemas"]["CommentView"][];
            /** @enum {string|null} */
            commissionType?: "STANDARD" | "CUSTOM" | "PARTNER" | null;
            createdAt: string;
            createdBy: string;
            fees: components["schemas"]["QuoteFeeView"][];
            isBatch?: boolean | null;
            isHidden: boolean;
            loanAmount: string | null;
            network: string;
            organisation: string;
            outcome: components["schemas"]["TransactionOutcomeView"];
            partnerId?: string | null;
            payments: components["schemas"]["TransactionPaymentView"][];
            quote?: {
                _id: string | null;
                /** @enum {string} */
                commissionType: "STANDARD" | "CUSTOM" | "PARTNER";
                expiresAt: string | null;
                lockedAt: string | null;
                /** @enum {string} */
                lockedSide: "RECEIVING" | "SENDING";
                rate: string;
                rates: components["schemas"]["QuoteRateView"][];
            } | null;
            reference?: string | null;
            return?: components["schemas"]["TransactionReturnView"] | null;
            sender?: string | null;
            /** @enum {string} */
            settlementStatus: "IDLE" | "QUOTED" | "FUNDS_PULLING" | "FUNDS_RECEIVED" | "CONVERTED" | "SENT_TO_BANK" | "AWAITING_DEPOSIT" | "DEPOSIT_MISMATCH" | "TOKENS_SENT" | "SETTLED" | "ON_HOLD" | "UNCERTAIN" | "RETURNED" | "REFUND_IN_FLIGHT" | "REFUNDED" | "REFUND_FAILED";
            /** @enum {string} */
            status: "DRAFT" | "WAITING_ACCEPTANCE" | "PROCESSING" | "RELEASED" | "COMPLETED" | "FAILED" | "REJECTED_BY_PLATFORM";
            statusInfo?: string | null;
            stopped?: components["schemas"]["TransactionStoppedView"] | null;
            timeline: components["schemas"]["TransactionStepView"][];
            token: string;
            totals: components["schemas"]["TransactionTotalsView"];
            /** @enum {string} */
            type: "FIAT" | "CRYPTO" | "ONRAMP";
            updatedAt: string;
            version: number;
            wallet: string;
            walletAddress: string;
        };
        TransactionWaitsView: {
            /** @enum {string} */
            actor: "NOBODY" | "MEMBER" | "SENDER" | "PLATFORM" | "SLIPWAY" | "LIQUIDITY_PROVIDER" | "CHAIN" | "BANK";
            allowedActions: string[];
            for: string[];
            then?: string | null;
            until: string | null;
            you: boolean;
        };
        TransactionWayView: {
            /** @enum {string} */
            by: "MEMBER" | "SENDER" | "PLATFORM" | "SLIPWAY" | "LIQUIDITY_PROVIDER" | "CHAIN" | "BANK";
            cause: string;
            /** @enum {string} */
            settlementStatus: "IDLE" | "QUOTED" | "FUNDS_PULLING" | "FUNDS_RECEIVED" | "CONVERTED" | "SENT_TO_BANK" | "AWAITING_DEPOSIT" | "DEPOSIT_MISMATCH" | "TOKENS_SENT" | "SETTLED" | "ON_HOLD" | "UNCERTAIN" | "RETURNED" | "REFUND_IN_FLIGHT" | "REFUNDED" | "REFUND_FAILED";
            status: string;
        };
        UpdateApplicantInfoRequest: {
            fixedInfo?: components["schemas"]["IdvFixedInfoInput"] | null;
        };
        UserEmbedded: {
            _id: string;
            address?: string | null;
            citizenship: components["schemas"]["RecordCountryRef"][];
            comments: components["schemas"]["RecordRef"][];
            country: components["schemas"]["RecordCountryRef"] | null;
            createdAt: string;
            dateOfBirth: string | null;
            email: string;
            features: string[];
            firstName?: string | null;
            isAccountSetup: boolean;
            isActive: boolean;
            kybOnboardingInfo?: string | null;
            kycOnboardingInfo?: string | null;
            lastName?: string | null;
            messagingHandle?: string | null;
            organisationRole?: string | null;
            phoneNumber?: string | null;
            twoFactorRequired: boolean;
            updatedAt: string;
            version: number;
        };
        UserMembership: {
            _id: string;
            name: string;
            role: string;
            roles: ("viewer" | "initiator" | "approver" | "admin")[];
            userType: string;
        };
        UserView: {
            _id: string;
            address?: string | null;
            citizenship: components["schemas"]["RecordCountry"][];
            comments: components["schemas"]["CommentView"][];
            country: components["schemas"]["RecordCountry"] | null;
            createdAt: string;
            dateOfBirth: string | null;
            email: string;
            features: string[];
            firstName?: string | null;
            isAccountSetup: boolean;
            isActive: boolean;
            isEmailConfirmed: boolean;
            kybOnboardingInfo?: string | null;
            kycOnboardingInfo?: string | null;
            lastName?: string | null;
            messagingHandle?: string | null;
            organisationRole?: string | null;
            organisations: components["schemas"]["UserMembership"][];
            phoneNumber?: string | null;
            /** @enum {string|null} */
            platformRole?: "staff" | "operator" | null;
            twoFactorEnabled: boolean;
            twoFactorRequired: boolean;
            updatedAt: string;
            version: number;
        };
        ValidateInvoiceTokenRequest: {
            token: string;
        };
        VerifySecondFactorRequest: {
            code: string;
        };
        VerifyWalletRequest: {
            message: string;
            signedMessage: string;
        };
        WalletReviewedView: {
            _id: string;
            address: string;
            allowedActions: string[];
            approval?: string | null;
            createdAt: string;
            network: components["schemas"]["NetworkEmbedded"];
            ownership: components["schemas"]["RecordOwnership"];
            payableFrom?: string | null;
            receiver: components["schemas"]["ReceiverEmbedded"];
            review: components["schemas"]["WalletReviewView"];
            screeningAnalysisId?: string | null;
            screeningErrMessage?: string | null;
            softDeleted: boolean;
            /** @enum {string} */
            type: "EOA" | "MULTISIG";
            updatedAt: string;
            version: number;
            /** @enum {string} */
            walletAnalysisStatus: "PENDING" | "IN_PROGRESS" | "APPROVED" | "REVIEW" | "REJECTED" | "ERROR" | "EXPIRED";
            warnings: components["schemas"]["WalletWarningView"][];
        };
        WalletReviewView: {
            at: string;
            decidedBy?: string | null;
            decidedByName?: string | null;
            proposedBy: string;
            proposedByName?: string | null;
            reason: string;
            /** @enum {string} */
            verdict: "APPROVED" | "REJECTED";
        };
        WalletView: {
            _id: string;
            address: string;
            allowedActions: string[];
            approval?: string | null;
            createdAt: string;
            network: components["schemas"]["NetworkEmbedded"];
            ownership: components["schemas"]["RecordOwnership"];
            payableFrom?: string | null;
            receiver: components["schemas"]["ReceiverEmbedded"];
            screeningAnalysisId?: string | null;
            screeningErrMessage?: string | null;
            softDeleted: boolean;
            /** @enum {string} */
            type: "EOA" | "MULTISIG";
            updatedAt: string;
            version: number;
            /** @enum {string} */
            walletAnalysisStatus: "PENDING" | "IN_PROGRESS" | "APPROVED" | "REVIEW" | "REJECTED" | "ERROR" | "EXPIRED";
            warnings: components["schemas"]["WalletWarningView"][];
        };
        WalletViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["WalletView"][];
            total: number;
        };
        WalletWaitingView: {
            _id: string;
            address: string;
            allowedActions: string[];
            createdAt: string;
            network: string;
            organisation: string;
            receiver: string;
            review?: components["schemas"]["WalletReviewView"] | null;
            screenedAt: string;
            screeningAnalysisId: string;
            screeningErrMessage: string;
        };
        WalletWaitingViewList: {
            nextCursor: string | null;
            page_total: number;
            results: components["schemas"]["WalletWaitingView"][];
            total: number;
        };
        WalletWarningView: {
            /** @enum {string} */
            code: "ADDRESS_LOOKS_ALIKE";
            message: string;
            wallets: string[];
        };
        WithdrawBookkeepingOpeningRequest: {
            reason: string;
        };
    };
    responses: {
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "BODY_MALFORMED" | "DUPLICATE_FIELD" | "FORMAT_INVALID" | "NOT_ALLOWED" | "NOT_IN_ENUM" | "OUT_OF_RANGE" | "REQUEST_MALFORMED" | "REQUIRED" | "TOO_FEW" | "TOO_LONG" | "TOO_MANY_ITEMS" | "TOO_SHORT" | "TYPE_MISMATCH" | "UNKNOWN_FIELD" | "VALIDATION";
                };
            };
        };
        BadRequest2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "BODY_MALFORMED" | "FORMAT_INVALID" | "REQUEST_MALFORMED" | "TYPE_MISMATCH" | "VALIDATION";
                };
            };
        };
        BadRequest3: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "BODY_MALFORMED" | "FORMAT_INVALID" | "IDEMPOTENCY_KEY_INVALID" | "REQUEST_MALFORMED" | "TYPE_MISMATCH" | "VALIDATION";
                };
            };
        };
        BadRequest4: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "BODY_MALFORMED" | "DUPLICATE_FIELD" | "FORMAT_INVALID" | "IDEMPOTENCY_KEY_INVALID" | "NOT_ALLOWED" | "NOT_IN_ENUM" | "OUT_OF_RANGE" | "REQUEST_MALFORMED" | "REQUIRED" | "TOO_FEW" | "TOO_LONG" | "TOO_MANY_ITEMS" | "TOO_SHORT" | "TYPE_MISMATCH" | "UNKNOWN_FIELD" | "VALIDATION";
                };
            };
        };
        BadRequest5: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "BODY_MALFORMED" | "DUPLICATE_FIELD" | "FORMAT_INVALID" | "IDEMPOTENCY_KEY_INVALID" | "IDEMPOTENCY_KEY_REQUIRED" | "NOT_ALLOWED" | "NOT_IN_ENUM" | "OUT_OF_RANGE" | "REQUEST_MALFORMED" | "REQUIRED" | "TOO_FEW" | "TOO_LONG" | "TOO_MANY_ITEMS" | "TOO_SHORT" | "TYPE_MISMATCH" | "UNKNOWN_FIELD" | "VALIDATION";
                };
            };
        };
        BadRequest6: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "BODY_MALFORMED" | "FORMAT_INVALID" | "IDEMPOTENCY_KEY_INVALID" | "IDEMPOTENCY_KEY_REQUIRED" | "REQUEST_MALFORMED" | "TYPE_MISMATCH" | "VALIDATION";
                };
            };
        };
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "ACCOUNT_INACTIVE" | "NO_ORGANISATION" | "PEOPLE_ONLY" | "ROLE_REQUIRED" | "SOURCE_NOT_ALLOWED" | "TWO_FACTOR_SETUP_REQUIRED";
                };
            };
        };
        Forbidden2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "ACCOUNT_INACTIVE" | "NO_ORGANISATION" | "PEOPLE_ONLY" | "ROLE_REQUIRED" | "SOURCE_NOT_ALLOWED" | "STEP_UP_REQUIRED" | "TWO_FACTOR_CODE_INVALID" | "TWO_FACTOR_SETUP_REQUIRED";
                };
            };
        };
        Forbidden3: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "ACCOUNT_INACTIVE" | "NO_ORGANISATION" | "ROLE_REQUIRED" | "SCOPE_REQUIRED" | "SOURCE_NOT_ALLOWED" | "STEP_UP_REQUIRED" | "TWO_FACTOR_CODE_INVALID" | "TWO_FACTOR_SETUP_REQUIRED";
                };
            };
        };
        Forbidden4: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "ACCOUNT_INACTIVE" | "NO_ORGANISATION" | "ROLE_REQUIRED" | "SCOPE_REQUIRED" | "SOURCE_NOT_ALLOWED" | "TWO_FACTOR_SETUP_REQUIRED";
                };
            };
        };
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "INTERNAL";
                };
            };
        };
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "NOT_FOUND";
                };
            };
        };
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "VERSION_MISMATCH";
                };
            };
        };
        RequestEntityTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "BODY_TOO_LARGE";
                };
            };
        };
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "DATABASE_AWAY" | "OUTCOME_UNKNOWN" | "OVERLOADED";
                };
            };
        };
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "RATE_LIMITED";
                };
            };
        };
        TooManyRequests2: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "RATE_LIMITED" | "TOO_MANY_ATTEMPTS";
                };
            };
        };
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "TOKEN_INVALID" | "TOKEN_MISSING";
                };
            };
        };
        UnprocessableEntity: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    code?: string;
                };
            };
        };
        UnprocessableEntity2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    code?: string;
                };
            };
        };
        UnprocessableEntity3: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    code?: string;
                };
            };
        };
        UnprocessableEntity4: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    code?: string;
                };
            };
        };
        UnprocessableEntity5: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    code?: string;
                };
            };
        };
        UnprocessableEntity6: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    code?: string;
                };
            };
        };
        UnprocessableEntity7: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    code?: string;
                };
            };
        };
        UnprocessableEntity8: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    code?: string;
                };
            };
        };
        UnprocessableEntity9: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    code?: string;
                };
            };
        };
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "CONTENT_ENCODING_UNSUPPORTED" | "CONTENT_TYPE_UNSUPPORTED";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        "Idempotent-Replayed": string;
        "RateLimit-Limit": number;
        "RateLimit-Remaining": number;
        "RateLimit-Reset": number;
        "Retry-After": number;
        "WWW-Authenticate": string;
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listApprovals: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                "kind[]"?: ("RECEIVER" | "BANK_ACCOUNT" | "WALLET" | "POLICY" | "MEMBER" | "INVITATION" | "PERIOD" | "RECOVERY" | "NETWORK" | "TOKEN" | "TERMS" | "RETURN" | "HELD" | "BANK_HOLD" | "BANK_KEYS" | "MOVEMENT" | "RELEASE" | "STOCK" | "RECEIVABLE" | "REREADING" | "DEPOSIT")[];
                limit?: number;
                object?: string;
                offset?: number;
                page?: number;
                "status[]"?: ("PENDING" | "APPROVED" | "REJECTED" | "SUPERSEDED" | "EXPIRED")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalViewList"];
                };
            };
        };
    };
    readApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    approve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApproveRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    reject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RejectRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                action?: string;
                actor?: string;
                cursor?: string;
                from?: string;
                limit?: number;
                object?: string;
                offset?: number;
                page?: number;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationAuditLineViewList"];
                };
            };
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthProofInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthDisabledView"];
                };
            };
        };
    };
    generateSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GenerateSecondFactorRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthGeneratedView"];
                };
            };
        };
    };
    loginSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginSecondFactorRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthTokensView"];
                };
            };
        };
    };
    stepUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthProofInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSteppedUpView"];
                };
            };
        };
    };
    verifySecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifySecondFactorRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthEnabledView"];
                };
            };
        };
    };
    listAPIKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthClientViewList"];
                };
            };
        };
    };
    createAPIKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateAPIKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthClientView"];
                };
            };
        };
    };
    revokeAPIKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RevokeAPIKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmailRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthMessageView"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthMessageView"];
                };
            };
        };
    };
    confirmAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgotPasswordRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthMessageView"];
                };
            };
        };
    };
    getInvitationInfo: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthInvitationInfoView"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthLoginView"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthPasskeyViewList"];
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPasskeyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAddedPasskeyView"];
                };
            };
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenamePasskeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthPasskeyView"];
                };
            };
        };
    };
    askPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthPasskeyOptionsView"];
                };
            };
        };
    };
    loginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginPasskeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthTokensView"];
                };
            };
        };
    };
    beginPasskeyLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BeginPasskeyLoginRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthPasskeyOptionsView"];
                };
            };
        };
    };
    offerPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OfferPasskeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthPasskeyOptionsView"];
                };
            };
        };
    };
    refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthTokensView"];
                };
            };
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthMessageView"];
                };
            };
        };
    };
    registerWithOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterWithOrganisationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthMessageView"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSessionViewList"];
                };
            };
        };
    };
    endSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    clientToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientTokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthTokensView"];
                };
            };
        };
    };
    createBankAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBankAccountRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankaccountView"];
                };
            };
        };
    };
    readBankAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankaccountView"];
                };
            };
        };
    };
    deleteBankAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankaccountView"];
                };
            };
        };
    };
    changeBankAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeBankAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankaccountView"];
                };
            };
        };
    };
    findBank: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindBankRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankaccountBankView"];
                };
            };
        };
    };
    listBankAccounts: {
        parameters: {
            query?: {
                alike?: string;
                bankCountry?: string;
                currency?: string;
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
                receiver?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankaccountViewList"];
                };
            };
        };
    };
    createReceiverWithBankAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReceiverWithBankAccountRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankaccountView"];
                };
            };
        };
    };
    readBookkeepingAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingChartView"];
                };
            };
        };
    };
    setBookkeepingAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetBookkeepingAccountsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingChartView"];
                };
            };
        };
    };
    listBookkeepingBalances: {
        parameters: {
            query?: {
                on?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingBalanceViewList"];
                };
            };
        };
    };
    listBookkeepingEntries: {
        parameters: {
            query?: {
                cursor?: string;
                from?: string;
                limit?: number;
                offset?: number;
                page?: number;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingEntryViewList"];
                };
            };
        };
    };
    exportBookkeeping: {
        parameters: {
            query?: {
                datevAdviser?: number;
                datevClient?: number;
                format?: "datev" | "xero" | "quickbooks" | "hledger" | "beancount";
                from?: string;
                to?: string;
                yearStart?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                    "text/csv": string;
                    "text/plain": string;
                };
            };
        };
    };
    listBookkeepingOpenings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingOpeningViewList"];
                };
            };
        };
    };
    openBookkeeping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenBookkeepingRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingOpeningView"];
                };
            };
        };
    };
    withdrawBookkeepingOpening: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawBookkeepingOpeningRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingOpeningView"];
                };
            };
        };
    };
    listBookkeepingPeriods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingPeriodsView"];
                };
            };
        };
    };
    closeBookkeepingPeriod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                period: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CloseBookkeepingPeriodRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingPeriodView"];
                };
            };
        };
    };
    makeCollectiveInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                period: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementLinkView"];
                };
            };
        };
    };
    reopenBookkeepingPeriod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                period: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReopenBookkeepingPeriodRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingPeriodView"];
                };
            };
        };
    };
    readStatementOfMonth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                period: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    readBookkeepingSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingSettingsView"];
                };
            };
        };
    };
    setBookkeepingSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookkeepingSettingsViewInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingSettingsView"];
                };
            };
        };
    };
    readBookkeepingStatement: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
        };
    };
    listChatChannels: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatchannelViewList"];
                };
            };
        };
    };
    createChatChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChatChannelRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatchannelView"];
                };
            };
        };
    };
    readChatChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatchannelView"];
                };
            };
        };
    };
    deleteChatChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatchannelView"];
                };
            };
        };
    };
    changeChatChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeChatChannelRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatchannelView"];
                };
            };
        };
    };
    testChatChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatchannelTestedView"];
                };
            };
        };
    };
    listCountries: {
        parameters: {
            query?: {
                cursor?: string;
                isHidden?: boolean;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefdataCountryViewList"];
                };
            };
        };
    };
    listCurrencies: {
        parameters: {
            query?: {
                cursor?: string;
                isHidden?: boolean;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefdataCurrencyViewList"];
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentViewList"];
                };
            };
        };
    };
    downloadDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/jpeg": string;
                    "image/png": string;
                };
            };
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentView"];
                };
            };
        };
    };
    readDocumentPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
        };
    };
    download: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                link: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getEmailPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreferenceView"];
                };
            };
        };
    };
    changeEmailPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmailPreferencesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreferenceView"];
                };
            };
        };
    };
    resubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreferenceView"];
                };
            };
        };
    };
    showUnsubscribe: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    unsubscribe: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                "types[]"?: string[];
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedPageView"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                after?: string;
                lifetime?: number;
                "types[]"?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    registerCompany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdvApplicantView"];
                };
            };
        };
    };
    getApplicantInfo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                applicantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdvInfoView"];
                };
            };
        };
    };
    getApplicantToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetApplicantTokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdvTokenView"];
                };
            };
        };
    };
    updateApplicantInfo: {
        parameters: {
            query: {
                organisationId: string;
            };
            header?: never;
            path: {
                applicantId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateApplicantInfoRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdvInfoView"];
                };
            };
        };
    };
    registerPerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdvApplicantView"];
                };
            };
        };
    };
    takeImport: {
        parameters: {
            query?: {
                "columns[]"?: string[];
                header?: boolean;
                network?: string;
                token?: "USDT" | "USDC" | "DAI";
                walletAddress?: string;
                "without[]"?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contentType?: string;
                    fileBase64: string;
                    fileName?: string;
                };
                "multipart/form-data": {
                    file: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntakeTakenView"];
                };
            };
        };
    };
    checkImport: {
        parameters: {
            query?: {
                "columns[]"?: string[];
                header?: boolean;
                "without[]"?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contentType?: string;
                    fileBase64: string;
                    fileName?: string;
                };
                "multipart/form-data": {
                    file: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntakeTableView"];
                };
            };
        };
    };
    readImportTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listNetworks: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                "features[]"?: ("LOANS" | "PAYABLES" | "ONRAMP" | "C2C" | "C2F" | "BATCH" | "SWEEP")[];
                isClientVisible?: boolean;
                isTestnet?: boolean;
                limit?: number;
                offset?: number;
                page?: number;
                sortBy?: "name" | "chainId" | "createdAt";
                "type[]"?: ("evm" | "tron" | "solana" | "stellar" | "bitcoin")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkViewList"];
                };
            };
        };
    };
    createNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkCreateBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkView"];
                };
            };
        };
    };
    readNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkView"];
                };
            };
        };
    };
    deleteNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkView"];
                };
            };
        };
    };
    changeNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkChangeBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkView"];
                };
            };
        };
    };
    placeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceTokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkView"];
                };
            };
        };
    };
    listClientVisibleEvmNetworks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkView"][];
                };
            };
        };
    };
    listPlatformApprovals: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                "kind[]"?: ("RECEIVER" | "BANK_ACCOUNT" | "WALLET" | "POLICY" | "MEMBER" | "INVITATION" | "PERIOD" | "RECOVERY" | "NETWORK" | "TOKEN" | "TERMS" | "RETURN" | "HELD" | "BANK_HOLD" | "BANK_KEYS" | "MOVEMENT" | "RELEASE" | "STOCK" | "RECEIVABLE" | "REREADING" | "DEPOSIT")[];
                limit?: number;
                object?: string;
                offset?: number;
                page?: number;
                "status[]"?: ("PENDING" | "APPROVED" | "REJECTED" | "SUPERSEDED" | "EXPIRED")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalViewList"];
                };
            };
        };
    };
    standIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StandInRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    listHouseBalances: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HouseViewList"];
                };
            };
        };
    };
    releaseHouseBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReleaseHouseBalanceRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    listBankFiles: {
        parameters: {
            query: {
                cursor?: string;
                direction: "OUT" | "IN";
                limit?: number;
                offset?: number;
                page?: number;
                state?: "SELECTED" | "STORED" | "SENDING" | "ARRIVED" | "HANDED_OVER" | "HELD" | "DROPPED" | "IMPORTING" | "IMPORTED" | "UNBALANCED" | "WAITING" | "QUARANTINED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppBankFileViewList"];
                };
            };
        };
    };
    importBankFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contentType?: string;
                    fileBase64: string;
                    fileName?: string;
                };
                "multipart/form-data": {
                    file: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppImportView"];
                };
            };
        };
    };
    readBankFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppBankFileView"];
                };
            };
        };
    };
    downloadBankFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    listHouseBookBalances: {
        parameters: {
            query?: {
                on?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingBalanceViewList"];
                };
            };
        };
    };
    listHouseEntries: {
        parameters: {
            query?: {
                cursor?: string;
                from?: string;
                limit?: number;
                offset?: number;
                page?: number;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingEntryViewList"];
                };
            };
        };
    };
    exportHouseBook: {
        parameters: {
            query?: {
                datevAdviser?: number;
                datevClient?: number;
                format?: "datev" | "xero" | "quickbooks" | "hledger" | "beancount";
                from?: string;
                to?: string;
                yearStart?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                    "text/csv": string;
                    "text/plain": string;
                };
            };
        };
    };
    readHouseReport: {
        parameters: {
            query?: {
                from?: string;
                on?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookkeepingReportView"];
                };
            };
        };
    };
    listDeposits: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
                proposed?: boolean;
                "state[]"?: ("NEW" | "MATCHED" | "SUSPENSE" | "ASSIGNED" | "HELD" | "REFUNDING" | "REFUNDED" | "REVERSED" | "WITHDRAWN" | "RETURN" | "SETTLED")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconcileDepositViewList"];
                };
            };
        };
    };
    readDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconcileDetailView"];
                };
            };
        };
    };
    decideDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideDepositRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconcileDepositView"];
                };
            };
        };
    };
    listHeld: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppHeldViewList"];
                };
            };
        };
    };
    decideHeld: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideHeldRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    listJournals: {
        parameters: {
            query?: {
                account?: string;
                cursor?: string;
                from?: string;
                key?: string;
                kind?: string;
                limit?: number;
                offset?: number;
                organisation?: string;
                page?: number;
                to?: string;
                transaction?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppJournalViewList"];
                };
            };
        };
    };
    readJournal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppJournalDetailView"];
                };
            };
        };
    };
    listLedgerVerifications: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppProofViewList"];
                };
            };
        };
    };
    verifyLedger: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppProofView"];
                };
            };
        };
    };
    listLiquidityProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppLiquidityProviderViewList"];
                };
            };
        };
    };
    listTenants: {
        parameters: {
            query?: {
                cursor?: string;
                isActive?: boolean;
                limit?: number;
                offset?: number;
                "onboardingStatus[]"?: ("PENDING" | "SUBMITTED" | "APPROVED" | "REJECTED")[];
                page?: number;
                searchTerm?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppTenantViewList"];
                };
            };
        };
    };
    addTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddTenantRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppTenantDetailView"];
                };
            };
        };
    };
    readTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppTenantDetailView"];
                };
            };
        };
    };
    setReturnPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetReturnPolicyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementPolicyView"];
                };
            };
        };
    };
    confirmSignOnDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmSignOnDomainRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomainView"];
                };
            };
        };
    };
    allowPasswords: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AllowPasswordsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoView"];
                };
            };
        };
    };
    changeTerms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeTermsRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    listProviderDifferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HouseDifferenceViewList"];
                };
            };
        };
    };
    recordProviderMovement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordProviderMovementRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    listRails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppRailViewList"];
                };
            };
        };
    };
    pauseRail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PauseRailRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppRailViewList"];
                };
            };
        };
    };
    thawRail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppRailViewList"];
                };
            };
        };
    };
    listRateSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppRateSourceViewList"];
                };
            };
        };
    };
    listOwed: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
                state?: "OPEN" | "SETTLED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivableOperatorViewList"];
                };
            };
        };
    };
    decideOwed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideOwedRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    listRecordComments: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentViewList"];
                };
            };
        };
    };
    addRecordComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddRecordCommentRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentView"];
                };
            };
        };
    };
    listReviews: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                offset?: number;
                page?: number;
                "status[]"?: ("OPEN" | "SUBMITTED" | "APPROVED" | "REJECTED")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewListedViewList"];
                };
            };
        };
    };
    getReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewCaseView"];
                };
            };
        };
    };
    checkReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                point: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckReviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewListedView"];
                };
            };
        };
    };
    commentReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentReviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewListedView"];
                };
            };
        };
    };
    decideReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideReviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewListedView"];
                };
            };
        };
    };
    downloadReviewDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
        };
    };
    listScreeningCases: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                offset?: number;
                page?: number;
                "status[]"?: ("OPEN" | "PROPOSED" | "CLEARED" | "CONFIRMED")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalysisCaseViewList"];
                };
            };
        };
    };
    decideScreeningCase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideScreeningCaseRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalysisCaseView"];
                };
            };
        };
    };
    listScreeningLists: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScreeningSourceList"];
                };
            };
        };
    };
    listScreenings: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                object?: string;
                offset?: number;
                page?: number;
                "status[]"?: ("APPROVED" | "REVIEW" | "REJECTED" | "ERROR")[];
                subject?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalysisRecordViewList"];
                };
            };
        };
    };
    getStock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockView"];
                };
            };
        };
    };
    changeStock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StockChangeInput"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    giveUpTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    resendTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    settleReturn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettleReturnRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    recordTreasuryMovement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordTreasuryMovementRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    recoverUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverUserRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalView"];
                };
            };
        };
    };
    listWalletReviews: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
                proposed?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletWaitingViewList"];
                };
            };
        };
    };
    getOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationView"];
                };
            };
        };
    };
    changeOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeOrganisationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationView"];
                };
            };
        };
    };
    getApprovalPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationPolicyView"];
                };
            };
        };
    };
    setApprovalPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetApprovalPolicyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationPolicyView"];
                };
            };
        };
    };
    getBrand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandView"];
                };
            };
        };
    };
    setBrand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetBrandRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandView"];
                };
            };
        };
    };
    setBrandLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contentType?: string;
                    fileBase64: string;
                    fileName?: string;
                };
                "multipart/form-data": {
                    file: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandView"];
                };
            };
        };
    };
    deleteBrandLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandView"];
                };
            };
        };
    };
    listOrganisationComments: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentViewList"];
                };
            };
        };
    };
    addOrganisationComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentView"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationInvitationViewList"];
                };
            };
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMemberRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationInvitationView"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationInvitationView"];
                };
            };
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationInvitationView"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationMemberViewList"];
                };
            };
        };
    };
    readMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                memberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationMemberView"];
                };
            };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                memberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMemberRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationMemberView"];
                };
            };
        };
    };
    getSendersInfo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationSendersInfoView"];
                };
            };
        };
    };
    getSignOn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoView"];
                };
            };
        };
    };
    setSignOn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetSignOnRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoView"];
                };
            };
        };
    };
    deleteSignOn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkSignOn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoCheckView"];
                };
            };
        };
    };
    addSignOnDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddSignOnDomainRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomainView"];
                };
            };
        };
    };
    deleteSignOnDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                domainId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkSignOnDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                domainId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomainView"];
                };
            };
        };
    };
    listSignOnLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoLinkList"];
                };
            };
        };
    };
    deleteSignOnLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    makeScimToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoTokenView"];
                };
            };
        };
    };
    deleteScimToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganisationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationView"];
                };
            };
        };
    };
    joinOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JoinOrganisationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationView"];
                };
            };
        };
    };
    listMyOrganisations: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationViewList"];
                };
            };
        };
    };
    readOverview: {
        parameters: {
            query?: {
                weeks?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewView"];
                };
            };
        };
    };
    createPayable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayableInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableView"];
                };
            };
        };
    };
    getPayable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableView"];
                };
            };
        };
    };
    changePayable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayableEditInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableView"];
                };
            };
        };
    };
    approvePayable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApprovePayableRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableView"];
                };
            };
        };
    };
    listPayableComments: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentViewList"];
                };
            };
        };
    };
    addPayableComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentView"];
                };
            };
        };
    };
    duplicatePayable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableView"];
                };
            };
        };
    };
    rejectPayable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectPayableRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableView"];
                };
            };
        };
    };
    reopenPayable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReopenPayableRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableView"];
                };
            };
        };
    };
    approvePayables: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovePayablesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableBatchView"];
                };
            };
        };
    };
    countPayables: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableCountsView"];
                };
            };
        };
    };
    createInvoiceBankAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvoiceBankAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkGivenView"];
                };
            };
        };
    };
    createInvoicePayable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvoicePayableRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableView"];
                };
            };
        };
    };
    createInvoiceReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvoiceReceiverRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkReceiverIDView"];
                };
            };
        };
    };
    createInvoiceWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvoiceWalletRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkGivenView"];
                };
            };
        };
    };
    extractQrBillInfo: {
        parameters: {
            query?: {
                bill?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contentType?: string;
                    fileBase64: string;
                    fileName?: string;
                } | {
                    documentStorageKey: string;
                };
                "multipart/form-data": {
                    file: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillscanView"];
                };
            };
        };
    };
    createInvoiceLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvoiceLinkRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkMadeView"];
                };
            };
        };
    };
    readInvoiceToken: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkInfoView"];
                };
            };
        };
    };
    listInvoiceLinks: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
                receiver?: string;
                "status[]"?: ("OPEN" | "SUBMITTED" | "USED" | "REVOKED" | "EXPIRED")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkViewList"];
                };
            };
        };
    };
    readInvoiceLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkView"];
                };
            };
        };
    };
    revokeInvoiceLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkView"];
                };
            };
        };
    };
    confirmInvoiceLinkProposal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmInvoiceLinkProposalRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkView"];
                };
            };
        };
    };
    refuseInvoiceLinkProposal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefuseInvoiceLinkProposalRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkView"];
                };
            };
        };
    };
    sendInvoiceLinkAgain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkView"];
                };
            };
        };
    };
    listPayables: {
        parameters: {
            query?: {
                "currencies[]"?: string[];
                cursor?: string;
                direction?: -1 | 1;
                expectedFrom?: string;
                expectedTo?: string;
                from?: string;
                limit?: number;
                offset?: number;
                page?: number;
                receiver?: string;
                searchTerm?: string;
                sortBy?: "createdAt" | "updatedAt" | "expectedPaymentDate" | "amount" | "status" | "type" | "_id";
                "status[]"?: ("DRAFT" | "APPROVED" | "REJECTED" | "PAID")[];
                to?: string;
                "tokens[]"?: ("USDT" | "USDC" | "DAI")[];
                "type[]"?: ("FIAT" | "CRYPTO")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayableViewList"];
                };
            };
        };
    };
    submitInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitInvoiceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkSubmittedAtView"];
                };
            };
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contentType?: string;
                    fileBase64: string;
                    fileName?: string;
                };
                "multipart/form-data": {
                    file: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentUploadView"];
                };
            };
        };
    };
    uploadInvoiceByLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contentType?: string;
                    fileBase64: string;
                    fileName?: string;
                };
                "multipart/form-data": {
                    file: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkDocumentView"];
                };
            };
        };
    };
    validateInvoiceToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateInvoiceTokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicelinkValidView"];
                };
            };
        };
    };
    listPaymentRails: {
        parameters: {
            query?: {
                cursor?: string;
                isHidden?: boolean;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefdataPaymentRailViewList"];
                };
            };
        };
    };
    listReceivables: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
                state?: "OPEN" | "SETTLED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivableViewList"];
                };
            };
        };
    };
    readReceivable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivableView"];
                };
            };
        };
    };
    createReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceiverCreateBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverView"];
                };
            };
        };
    };
    readReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverView"];
                };
            };
        };
    };
    deleteReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverView"];
                };
            };
        };
    };
    changeReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceiverChangeBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverView"];
                };
            };
        };
    };
    listReceiverComments: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentViewList"];
                };
            };
        };
    };
    addReceiverComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentView"];
                };
            };
        };
    };
    listReceivers: {
        parameters: {
            query?: {
                "countryIsoCode[]"?: string[];
                cursor?: string;
                direction?: -1 | 1;
                isHidden?: boolean;
                isSelf?: boolean;
                limit?: number;
                offset?: number;
                page?: number;
                paymentType?: "FIAT" | "CRYPTO";
                searchTerm?: string;
                type?: "INDIVIDUAL" | "COMPANY";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverViewList"];
                };
            };
        };
    };
    readSelfReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverView"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
                "state[]"?: ("WAITING" | "ACTIVE" | "STOPPED" | "ENDED")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleViewList"];
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleView"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleView"];
                };
            };
        };
    };
    acceptSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleView"];
                };
            };
        };
    };
    stopSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleView"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                cursor?: string;
                isHidden?: boolean;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordTokenList"];
                };
            };
        };
    };
    listTradingPairs: {
        parameters: {
            query?: {
                cursor?: string;
                isHidden?: boolean;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefdataTradingPairViewList"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                columnId?: string;
                commissionType?: "STANDARD" | "CUSTOM" | "PARTNER";
                "currencies[]"?: string[];
                cursor?: string;
                direction?: -1 | 1;
                from?: string;
                isHidden?: boolean;
                limit?: number;
                offset?: number;
                "organisations[]"?: string[];
                page?: number;
                "partners[]"?: string[];
                paymentsFailed?: boolean;
                searchTerm?: string;
                selectedYear?: number;
                sortBy?: "createdAt" | "updatedAt" | "status" | "type" | "token" | "_id";
                "status[]"?: ("DRAFT" | "WAITING_ACCEPTANCE" | "PROCESSING" | "RELEASED" | "COMPLETED" | "FAILED" | "REJECTED_BY_PLATFORM")[];
                to?: string;
                "tokens[]"?: ("USDT" | "USDC" | "DAI")[];
                "type[]"?: ("FIAT" | "CRYPTO" | "ONRAMP")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionListAnswer"];
                };
            };
        };
    };
    createTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransactionInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    updateTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransactionInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    deleteTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    hideTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HideTransactionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    acceptTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TransactionAcceptBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    agreeToTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    readBankDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionBankDetailsView"];
                };
            };
        };
    };
    checkAllowance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CheckAllowanceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionAllowance"];
                };
            };
        };
    };
    listTransactionComments: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentViewList"];
                };
            };
        };
    };
    addTransactionComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentView"];
                };
            };
        };
    };
    makeCreditNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementLinkView"];
                };
            };
        };
    };
    explainTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionExplainView"];
                };
            };
        };
    };
    getTransactionIntent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionIntentView"];
                };
            };
        };
    };
    makeInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementLinkView"];
                };
            };
        };
    };
    getTransactionOwnCalls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionOwnCalls"];
                };
            };
        };
    };
    payFailedAgain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    rejectTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectTransactionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    readTransactionRemarks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionRemarksView"];
                };
            };
        };
    };
    makeStatement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementLinkView"];
                };
            };
        };
    };
    submitTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TransactionSubmitBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    validateTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionValidateView"];
                };
            };
        };
    };
    exportPayments: {
        parameters: {
            query?: {
                columnId?: string;
                "columns[]"?: ("date" | "acceptedOn" | "endedOn" | "type" | "payee" | "account" | "purpose" | "reference" | "amount" | "currency" | "token" | "tokenAmount" | "rate" | "fee" | "debit" | "status" | "statusInfo" | "hash" | "endToEndId" | "uetr" | "network" | "wallet" | "payable" | "transaction" | "payment")[];
                commissionType?: "STANDARD" | "CUSTOM" | "PARTNER";
                "currencies[]"?: string[];
                direction?: -1 | 1;
                format?: "CSV" | "EXCEL" | "EXCEL_DECIMAL_COMMA";
                from?: string;
                isHidden?: boolean;
                "organisations[]"?: string[];
                "partners[]"?: string[];
                paymentsFailed?: boolean;
                searchTerm?: string;
                selectedYear?: number;
                sortBy?: "createdAt" | "updatedAt" | "status" | "type" | "token" | "_id";
                "status[]"?: ("DRAFT" | "WAITING_ACCEPTANCE" | "PROCESSING" | "RELEASED" | "COMPLETED" | "FAILED" | "REJECTED_BY_PLATFORM")[];
                to?: string;
                "tokens[]"?: ("USDT" | "USDC" | "DAI")[];
                "type[]"?: ("FIAT" | "CRYPTO" | "ONRAMP")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    minOnrampAmount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionMinimumView"];
                };
            };
        };
    };
    listOnrampCurrencies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionOnrampCurrencyView"][];
                };
            };
        };
    };
    payPayables: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayPayablesRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionView"];
                };
            };
        };
    };
    changeUserStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeUserStatusRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
        };
    };
    completeUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteUserRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
        };
    };
    getCompleteInfo: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthCompleteInfoView"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
        };
    };
    changeMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
        };
    };
    sendCompleteYourBeneficiaryAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SendCompleteYourBeneficiaryAccountRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthQueuedView"];
                };
            };
        };
    };
    sendCompleteYourHNWI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SendCompleteYourHNWIRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthQueuedView"];
                };
            };
        };
    };
    sendCompleteYourKYCEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SendCompleteYourKYCEmailRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthQueuedView"];
                };
            };
        };
    };
    sendUserConfirmationEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SendUserConfirmationEmailRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthQueuedView"];
                };
            };
        };
    };
    createWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWalletRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletView"];
                };
            };
        };
    };
    readWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletView"];
                };
            };
        };
    };
    deleteWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletView"];
                };
            };
        };
    };
    changeWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWalletRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletView"];
                };
            };
        };
    };
    readWalletAllowances: {
        parameters: {
            query?: {
                "spender[]"?: string[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionAllowancesView"];
                };
            };
        };
    };
    readWalletBalances: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionBalancesView"];
                };
            };
        };
    };
    challengeWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletView"];
                };
            };
        };
    };
    readWalletLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionLimitsView"];
                };
            };
        };
    };
    revokeWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeWalletRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletView"];
                };
            };
        };
    };
    readSafe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SafetxAccountView"];
                };
            };
        };
    };
    listSafeTransactions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SafetxViewList"];
                };
            };
        };
    };
    readSafeTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                safeTxHash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SafetxView"];
                };
            };
        };
    };
    confirmSafeTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                safeTxHash: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmSafeTransactionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SafetxView"];
                };
            };
        };
    };
    decideWalletScreening: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideWalletScreeningRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletReviewedView"];
                };
            };
        };
    };
    verifyWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyWalletRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletView"];
                };
            };
        };
    };
    listWallets: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: -1 | 1;
                limit?: number;
                network?: string;
                offset?: number;
                page?: number;
                receiver?: string;
                searchTerm?: string;
                "status[]"?: ("PENDING" | "VERIFIED" | "FAILED" | "EXPIRED" | "REVOKED")[];
                type?: "EOA" | "MULTISIG";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletViewList"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                offset?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointViewList"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpointRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointView"];
                };
            };
        };
    };
    readWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointView"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointView"];
                };
            };
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookEndpointRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointView"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                offset?: number;
                page?: number;
                "status[]"?: ("PENDING" | "DELIVERED" | "FAILED")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDeliveryViewList"];
                };
            };
        };
    };
    readWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDeliveryDetailView"];
                };
            };
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDeliveryView"];
                };
            };
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookEventsRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointReplayView"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointView"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDeliveryView"];
                };
            };
        };
    };
}
